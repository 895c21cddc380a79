/// The network connection that a request goes out on.
package struct NetworkPath: Sendable, Equatable {
    package let remote: NetworkAddress
    package let local: NetworkAddress

    /// Whether an earlier transfer has opened it.
    package let isReused: Bool

    /// The version of TLS as OpenSSL names it, `TLSv1.3`; nil without TLS.
    package let tlsVersion: String?
}
