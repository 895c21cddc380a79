internal import Foundation
public import FoundationNetworking

extension URLCredential {
    /// Accepts the certificate that a server showed, in answer to the challenge that it came in.
    ///
    /// It accepts ``ServerTrust/certificates``' first and no other, for one load. It is no user and no
    /// password: other challenges don't take it, and it is never stored.
    /// See <https://developer.apple.com/documentation/foundation/urlcredential/init(trust:)>.
    public convenience init(trust: ServerTrust) {
        let fingerprint = trust.certificates.first?.fingerprint ?? ""
        self.init(
            user: TLSCredential.trustMark + fingerprint,
            password: "",
            persistence: .none
        )
    }

    /// Shows a certificate to a server that asks for one.
    ///
    /// It counts for one load. It is no user and no password: other challenges don't take it, and it is
    /// never stored, whatever the persistence.
    /// See <https://developer.apple.com/documentation/foundation/urlcredential/init(identity:certificates:persistence:)>.
    ///
    /// - Parameters:
    ///   - identity: The certificate and its key.
    ///   - certificates: More certificates that lead to its authority.
    ///   - persistence: Is kept, and has no effect.
    public convenience init(
        identity: ClientIdentity,
        certificates: [Certificate]? = nil,
        persistence: URLCredential.Persistence = .none
    ) {
        let all = identity.certificates + (certificates ?? [])
        self.init(
            user: TLSCredential.identityMark,
            password: TLSCredential.text(of: ClientIdentity(certificates: all, key: identity.key)),
            persistence: persistence
        )
    }
}

/// What a URLCredential says that is no password.
///
/// Foundation's class on Linux has room for a user and a password alone, and an extension can't add any.
/// So it stands there, behind a mark that no user can type: it is another one in each process.
enum TLSCredential {
    /// The certificate with this fingerprint is accepted.
    case trust(fingerprint: String)

    /// This is shown.
    case identity(ClientIdentity)

    fileprivate static let trustMark = "\u{1}trust \(UUID().uuidString) "
    fileprivate static let identityMark = "\u{1}identity \(UUID().uuidString)"

    /// Reads a credential; nil when it is a password.
    init?(_ credential: URLCredential) {
        guard let user = credential.user else { return nil }
        if user.hasPrefix(Self.trustMark) {
            self = .trust(fingerprint: String(user.dropFirst(Self.trustMark.count)))
        } else if user == Self.identityMark, let identity = Self.identity(credential.password) {
            self = .identity(identity)
        } else {
            return nil
        }
    }

    /// The key, then the certificates, each in base64 behind a space.
    fileprivate static func text(of identity: ClientIdentity) -> String {
        ([Data(identity.key)] + identity.certificates.map(\.der))
            .map { $0.base64EncodedString() }
            .joined(separator: " ")
    }

    private static func identity(_ text: String?) -> ClientIdentity? {
        let parts = text?.split(separator: " ").compactMap { Data(base64Encoded: String($0)) } ?? []
        guard let key = parts.first else { return nil }
        let certificates = parts.dropFirst().compactMap { Certificate(der: $0) }
        return ClientIdentity(certificates: certificates, key: [UInt8](key))
    }
}
