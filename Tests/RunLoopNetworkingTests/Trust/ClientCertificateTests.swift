import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Challenges of servers that ask for a certificate", .timeLimit(.minutes(1)))
struct ClientCertificateTests {
    private let authority: TLSAuthority
    private let clients: TLSAuthority
    private let identity: ClientIdentity
    private let loop = TestLoop()

    init() throws {
        authority = try TLSAuthority()
        clients = try TLSAuthority(name: "Authority of clients")
        identity = try Self.identity(clients)
        loop.loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
    }

    private static func identity(
        _ authority: TLSAuthority,
        _ validity: TLSIdentity.Validity = .valid
    ) throws -> ClientIdentity {
        let made = try authority.identity(for: ["client.test"], validity: validity)
        return try ClientIdentity(
            certificatePEM: Data(made.certificatePEM),
            keyPEM: Data(made.keyPEM())
        )
    }

    private let script: [ScriptStep] = [.forever([.waitForRequest, .respond(body: "abc")])]
    private static let loaded: [TranscriptMessage] = [.response(200), .data(3), .finished]
    private static let trust = TranscriptMessage.challenge(
        NSURLAuthenticationMethodServerTrust,
        failures: 0
    )
    private static let certificate = TranscriptMessage.challenge(
        NSURLAuthenticationMethodClientCertificate,
        failures: 0
    )

    private func server(isRequired: Bool, isOld: Bool) throws -> ScriptedServer {
        let identity = try authority.identity()
            .askingClients(for: clients, isRequired: isRequired, isOld: isOld)
        return try ScriptedServer(script, tls: identity)
    }

    /// Shows an identity where one is asked for, and leaves everything else to the default.
    private func showing(_ identity: ClientIdentity?) -> RecordingDelegate {
        RecordingDelegate(onChallenge: { challenge, _ in
            let isAsked = challenge.protectionSpace.acceptableIssuers != nil
            guard isAsked, let identity else {
                challenge.sender?.performDefaultHandling(for: challenge)
                return
            }
            challenge.sender?.use(URLCredential(identity: identity), for: challenge)
        })
    }

    @Test(
        "A certificate is shown to a server that asks for one",
        arguments: [false, true],
        [false, true]
    )
    func shown(isRequired: Bool, isOld: Bool) async throws {
        let server = try server(isRequired: isRequired, isOld: isOld)
        let delegate = try await load(server.request(), showing(identity), loop: loop.loop)
        // The second handshake is another network connection.
        #expect(delegate.transcript == [Self.trust, Self.certificate, Self.trust] + Self.loaded)
        let space = delegate.challenges[1].protectionSpace
        #expect((space.host, space.port) == ("127.0.0.1", server.port))
        #expect(space.acceptableIssuers == ["CN=Authority of clients"])
        #expect(server.requests.count == 1)
    }

    @Test("Without one the load goes on where it may", arguments: [false, true])
    func optional(isOld: Bool) async throws {
        let server = try server(isRequired: false, isOld: isOld)
        let delegate = try await load(server.request(), showing(nil), loop: loop.loop)
        #expect(delegate.transcript == [Self.trust, Self.certificate] + Self.loaded)
        #expect(server.connectionCount == 1)
    }

    @Test(
        "Without one a load fails that needs one, and the error says what to do",
        arguments: [false, true]
    )
    func required(isOld: Bool) async throws {
        let server = try server(isRequired: true, isOld: isOld)
        let delegate = try await load(server.request(), showing(nil), loop: loop.loop)
        #expect(
            delegate.transcript == [
                Self.trust, Self.certificate, .failed(.clientCertificateRequired),
            ]
        )
        let sentence = delegate.error?.localizedDescription ?? ""
        #expect(sentence.contains("CN=Authority of clients"))
        #expect(server.requests.isEmpty)
    }

    @Test("One that the server does not take fails the load", arguments: [false, true])
    func rejected(isOld: Bool) async throws {
        let server = try server(isRequired: true, isOld: isOld)
        let wrong = [try Self.identity(clients, .expired), try Self.identity(TLSAuthority())]
        for identity in wrong {
            let delegate = try await load(server.request(), showing(identity), loop: loop.loop)
            #expect(delegate.transcript.last == .failed(.clientCertificateRejected))
        }
        #expect(server.requests.isEmpty)
    }

    @Test("Cancelled, the load fails as Apple's does")
    func cancelled() async throws {
        let server = try server(isRequired: false, isOld: false)
        let delegate = RecordingDelegate(onChallenge: { challenge, _ in
            if challenge.protectionSpace.serverTrust == nil {
                challenge.sender?.cancel(challenge)
            } else {
                challenge.sender?.performDefaultHandling(for: challenge)
            }
        })
        try await load(server.request(), delegate, loop: loop.loop)
        #expect(
            delegate.transcript == [
                Self.trust, Self.certificate, .failed(.userCancelledAuthentication),
            ]
        )
        #expect(server.requests.isEmpty)
    }

    @Test("A network connection on which one was shown carries no other load")
    func apart() async throws {
        let server = try server(isRequired: false, isOld: false)
        let first = try await load(server.request(), showing(identity), loop: loop.loop)
        #expect(first.transcript.last == .finished)
        let second = try await load(server.request(), showing(nil), loop: loop.loop)
        #expect(second.transcript == [Self.trust, Self.certificate] + Self.loaded)
        #expect(server.connectionCount == 3)
    }
}
