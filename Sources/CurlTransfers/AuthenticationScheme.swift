/// A way of HTTP to prove who asks, the strongest first.
package enum AuthenticationScheme: CaseIterable, Sendable {
    /// Kerberos, by GSS-API (RFC 4559).
    case negotiate
    /// Microsoft's challenge and response, bound to a network connection.
    case ntlm
    /// A digest of the password (RFC 7616).
    case digest
    /// The password itself (RFC 7617).
    case basic

    /// Whether libcurl may need several requests for it, and sends them by itself.
    package var takesSeveralRequests: Bool { self != .basic }
}
