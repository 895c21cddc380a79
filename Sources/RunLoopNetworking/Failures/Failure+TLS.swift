internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

// MARK: - TLS

extension Failure {
    /// The failure that a certificate amounts to which does not count.
    init(_ failure: TrustFailure) {
        self.init(failure.code, failure.description, curlCode: .peerFailedVerification)
    }

    /// Reads an outcome as a failure of a certificate, the server's or the client's; nil if it is none.
    init?(tls outcome: TransferOutcome) {
        // libcurl takes the server's word on an expired certificate for one about the server's.
        if let failure = Self.clientFailure(in: outcome) {
            self = failure
        } else if outcome.code == .peerFailedVerification {
            self.init(Self.trustFailure(in: outcome))
        } else {
            return nil
        }
    }

    private static func trustFailure(in outcome: TransferOutcome) -> TrustFailure {
        // A certificate that OpenSSL takes is refused by libcurl for its names.
        let verdict = outcome.handshake?.chain?.verdict ?? outcome.verifyResult
        return TrustFailure(verdict: verdict, message: outcome.message, host: nil)
            ?? TrustFailure(.otherName, message: outcome.message, host: nil)
    }

    /// What a server means that asked for a certificate and then breaks off with an alert.
    private static func clientFailure(in outcome: TransferOutcome) -> Failure? {
        guard let handshake = outcome.handshake, let issuers = handshake.acceptableIssuers,
            let alert = handshake.alert, certificateAlerts.contains(alert)
        else { return nil }
        guard !handshake.hasShownCertificate else {
            return Failure(
                .clientCertificateRejected,
                "The server does not take the certificate that it was shown. Show another one"
                    + "\(of(issuers)), and look whether its time is over.",
                curlCode: outcome.code
            )
        }
        return Failure(
            .clientCertificateRequired,
            "The server wants a certificate. Answer its challenge, whose method is "
                + "NSURLAuthenticationMethodClientCertificate, with URLCredential(identity:)"
                + "\(of(issuers)).",
            curlCode: outcome.code
        )
    }

    private static func of(_ issuers: [String]) -> String {
        issuers.isEmpty ? "" : ", signed by " + issuers.joined(separator: " or ")
    }

    /// handshake_failure, everything about certificates, access_denied, decrypt_error and
    /// certificate_required: RFC 8446, section 6.
    private static let certificateAlerts: Set<Int> = [40, 41, 42, 43, 44, 45, 46, 48, 49, 51, 116]
}
