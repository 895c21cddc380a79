internal import CurlTransfers
internal import FoundationNetworking

// MARK: - Names

extension AuthenticationScheme {
    /// The scheme that a challenge names, whatever the letter case; nil for one that is not known.
    init?(name: String) {
        let found = Self.allCases.first { WireText.isSameName($0.name, name) }
        guard let found else { return nil }
        self = found
    }

    /// What Foundation calls it (`URLProtectionSpace.authenticationMethod`).
    var method: String {
        switch self {
        case .negotiate: NSURLAuthenticationMethodNegotiate
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .basic: NSURLAuthenticationMethodHTTPBasic
        }
    }

    private var name: String {
        switch self {
        case .negotiate: "Negotiate"
        case .ntlm: "NTLM"
        case .digest: "Digest"
        case .basic: "Basic"
        }
    }
}
