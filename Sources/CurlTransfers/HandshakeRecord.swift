/// What was seen of a TLS handshake.
package struct HandshakeRecord: Sendable, Equatable {
    /// What the server showed; only seen where the request does not leave the verdict to OpenSSL alone.
    package var chain: PresentedChain?

    /// The names of the authorities whose certificates the server takes, when it asked for one; an
    /// empty list takes any.
    package var acceptableIssuers: [String]?

    /// Whether the server asked and was shown one.
    package var hasShownCertificate = false

    /// The number of the alert by which the server ended the connection (RFC 8446, section 6).
    package var alert: Int?

    /// A record of nothing.
    package init() {}
}

/// The certificates that a server showed, and what OpenSSL says of them.
package struct PresentedChain: Sendable, Equatable {
    /// DER, the server's own first.
    package let certificates: [[UInt8]]

    /// OpenSSL's verdict: 0 is in order (X509_STORE_CTX_get_error(3)).
    package let verdict: Int

    /// Which certificate it is about: 0 is the server's own.
    package let depth: Int

    /// OpenSSL's words for the verdict.
    package let message: String
}

/// What a transfer waits for in its handshake, before anything of the request is sent.
package enum HandshakeQuestion: Sendable, Equatable {
    /// OpenSSL takes the certificate; does the owner?
    case trust(PresentedChain)

    /// The server asks for a certificate; to go on means to have none.
    case clientCertificate(acceptableIssuers: [String])
}
