import EventLoops
import NetworkingTestKit
import Testing

/// Servers with or without TLS, and a loop that trusts them; shut down when the test lets go of it.
final class Site: Sendable {
    /// How a site is reached.
    enum Scheme: String, CaseIterable, CustomTestStringConvertible {
        case http
        case https

        var testDescription: String { rawValue }
    }

    let loop = EventLoop(name: "conformance")

    private let identity: TLSIdentity?
    private let authority: TLSAuthority?

    init(_ scheme: Scheme) throws {
        authority = scheme == .https ? try TLSAuthority() : nil
        identity = try authority?.identity()
        loop.connectionSettings.certificateAuthorityFile = authority?.certificateFile
        loop.start()
    }

    deinit {
        loop.shutDown()
    }

    /// A server that plays the script for each connection.
    func serve(_ script: [ScriptStep]) throws -> ScriptedServer {
        try ScriptedServer(tls: identity) { _ in [script] }
    }
}
