internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// What a load's delegate has decided about servers, and what it has shown to them.
///
/// It counts for one load, and each decision for one host and port.
struct LoadTrust {
    private struct Origin: Hashable {
        let host: String
        let port: Int
    }

    /// The certificates (DER) that are accepted although they don't count.
    private var exceptions: [Origin: [UInt8]] = [:]
    private var identities: [Origin: ClientIdentity] = [:]

    /// Says whom a request trusts, what it shows, and about what the delegate is to be asked.
    func complete(_ request: inout TransferRequest, for url: URL?, _ interest: ChallengeInterest) {
        guard let origin = Self.origin(of: url) else { return }
        if let certificate = exceptions[origin] {
            request.trust = .exactly(certificate)
        } else if let owner = interest.owner, interest.covers(AuthenticationMethod.serverTrust) {
            request.trust = .ask(owner)
        }
        request.clientCertificate = identities[origin]?.shown
        request.asksForClientCertificate = interest.covers(AuthenticationMethod.clientCertificate)
    }

    /// Accepts one certificate from the server of a URL.
    mutating func accept(_ certificate: Certificate, from url: URL?) {
        if let origin = Self.origin(of: url) { exceptions[origin] = [UInt8](certificate.der) }
    }

    /// The server of a URL shows another certificate than the one that was accepted.
    mutating func takeBack(from url: URL?) {
        if let origin = Self.origin(of: url) { exceptions[origin] = nil }
    }

    /// Shows a certificate to the server of a URL.
    mutating func show(_ identity: ClientIdentity, to url: URL?) {
        if let origin = Self.origin(of: url) { identities[origin] = identity }
    }

    /// Nil where no TLS is spoken.
    private static func origin(of url: URL?) -> Origin? {
        guard let url, let host = url.host, WireText.lowercase(url.scheme ?? "") == "https" else {
            return nil
        }
        return Origin(host: LoadableURL.comparable(host), port: url.port ?? 443)
    }
}

/// What an answer to a server that shows its certificate means.
enum TrustVerdict: Equatable {
    /// This one is accepted, by the delegate itself.
    case accept
    /// Whether it counts decides.
    case leave
    /// The answer is for something else.
    case refuse
    /// The load is not to go on.
    case cancel

    init(_ answer: ChallengeAnswer, to trust: ServerTrust) {
        switch answer {
        case .use(let credential):
            guard case .trust(let fingerprint) = TLSCredential(credential),
                fingerprint == trust.certificates.first?.fingerprint
            else {
                self = .refuse
                return
            }
            self = .accept
        case .cancel: self = .cancel
        // There is no way to go on with nobody checking.
        case .continueWithoutCredential, .performDefaultHandling, .rejectProtectionSpace:
            self = .leave
        }
    }
}
