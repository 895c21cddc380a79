internal import CurlTransfers
internal import Foundation

/// The certificates that a server showed for a host, and what this machine says of them.
///
/// It stands in a challenge whose method is `NSURLAuthenticationMethodServerTrust`, which a delegate gets
/// for each new TLS connection, before anything of the request is sent:
///
/// ```swift
/// func connection(_ connection: NSURLConnection, willSendRequestFor challenge: URLAuthenticationChallenge) {
///     let space = challenge.protectionSpace
///     guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust,
///         let trust = space.serverTrust
///     else { return challenge.sender?.performDefaultHandling(for: challenge) ?? () }
///     if trust.certificates.first?.fingerprint == expected {
///         challenge.sender?.use(URLCredential(trust: trust), for: challenge)
///     } else {
///         challenge.sender?.cancel(challenge)
///     }
/// }
/// ```
///
/// The credential accepts the server's own certificate, ``certificates``' first, for this load and this
/// host and port, whatever ``failure`` says. Nothing else is accepted by it. The default handling accepts
/// what has no ``failure``.
public struct ServerTrust: Sendable, Hashable {
    /// The host that was asked for.
    public let host: String

    /// The certificates as the server showed them, its own first.
    ///
    /// The authority's own is seldom among them.
    public let certificates: [Certificate]

    /// Why the certificate does not count; nil when it does.
    public let failure: TrustFailure?

    /// Reads what was shown; nil when that is no certificate.
    init?(host: String, chain: PresentedChain) {
        let certificates = chain.certificates.map { Certificate(der: Data($0)) }
        guard let first = certificates.first, first != nil else { return nil }
        self.host = host
        self.certificates = certificates.compactMap(\.self)
        failure = TrustFailure(verdict: chain.verdict, message: chain.message, host: host)
    }
}
