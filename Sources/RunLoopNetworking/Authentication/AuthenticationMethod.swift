/// Names of authentication methods that FoundationNetworking on Linux does not let be used.
///
/// Those of HTTP are Foundation's own: `NSURLAuthenticationMethodHTTPBasic`, `…HTTPDigest`, `…NTLM` and
/// `…Negotiate`. The values here are Apple's.
public enum AuthenticationMethod {
    /// A server shows its certificate; asked on each new TLS connection.
    public static let serverTrust = "NSURLAuthenticationMethodServerTrust"

    /// A server asks for a certificate of the client.
    public static let clientCertificate = "NSURLAuthenticationMethodClientCertificate"

    /// Whether a method belongs to TLS, and not to HTTP.
    static func isOfTLS(_ method: String) -> Bool {
        method == serverTrust || method == clientCertificate
    }
}
