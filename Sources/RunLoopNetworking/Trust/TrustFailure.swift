public import Foundation
internal import FoundationNetworking

/// Why a server's certificate does not count.
public struct TrustFailure: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// What is wrong; the first thing that was found.
    public struct Kind: Sendable, Hashable {
        private enum Value {
            case expired
            case notYetValid
            case selfSigned
            case unknownAuthority
            case otherName
            case other
        }

        private let value: Value

        /// Its time is over.
        public static let expired = Kind(value: .expired)

        /// Its time has not come, or the clock of this machine is wrong.
        public static let notYetValid = Kind(value: .notYetValid)

        /// Nobody has signed it but itself.
        public static let selfSigned = Kind(value: .selfSigned)

        /// Whoever has signed it is not among the authorities that are trusted.
        public static let unknownAuthority = Kind(value: .unknownAuthority)

        /// It counts, but for other hosts.
        public static let otherName = Kind(value: .otherName)

        /// Something else; the sentence says what.
        public static let other = Kind(value: .other)
    }

    /// What is wrong.
    public let kind: Kind

    /// A sentence for people: what is wrong, and what to do.
    public let description: String

    /// The same sentence.
    public var errorDescription: String? { description }

    /// The code that a connection fails with which does not accept the certificate all the same.
    public var code: URLError.Code {
        switch kind {
        case .expired: .serverCertificateHasBadDate
        case .notYetValid: .serverCertificateNotYetValid
        case .unknownAuthority: .serverCertificateHasUnknownRoot
        default: .serverCertificateUntrusted
        }
    }

    /// Reads OpenSSL's verdict; nil when the certificate is in order.
    init?(verdict: Int, message: String, host: String?) {
        guard let kind = Self.kind(of: verdict) else { return nil }
        self.init(kind, message: message, host: host)
    }

    init(_ kind: Kind, message: String, host: String?) {
        self.kind = kind
        description = Self.sentence(kind, message, host.map { "of \($0) " } ?? "")
    }
}

extension TrustFailure {
    /// The numbers are OpenSSL's: X509_STORE_CTX_get_error(3).
    private static func kind(of verdict: Int) -> Kind? {
        switch verdict {
        case 0: nil
        case 9: .notYetValid
        case 10: .expired
        case 18: .selfSigned
        case 19, 20: .unknownAuthority
        case 62, 64: .otherName
        default: .other
        }
    }

    private static func sentence(_ kind: Kind, _ message: String, _ whose: String) -> String {
        switch kind {
        case .expired:
            "The certificate \(whose)has expired. Whoever runs the server has to renew it."
        case .notYetValid:
            "The certificate \(whose)does not count yet. Check the clock of this machine, and of whoever "
                + "made the certificate."
        case .selfSigned:
            "The certificate \(whose)is signed by nobody but itself. Name its file as "
                + "certificateAuthorityFile, or accept the very certificate in a challenge."
        case .unknownAuthority:
            "The authority that signed the certificate \(whose)is not trusted, or the server does not show "
                + "the certificates that lead to one. Name the authority's file as "
                + "certificateAuthorityFile, or have the server show the whole chain."
        case .otherName:
            "The certificate \(whose)is for other hosts. Use a host name that stands in it."
        default:
            "The certificate \(whose)is not trusted: \(message)."
        }
    }
}
