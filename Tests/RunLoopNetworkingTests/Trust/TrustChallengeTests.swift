import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Challenges of servers that show who they are", .timeLimit(.minutes(1)))
struct TrustChallengeTests {
    private let authority: TLSAuthority
    private let loop = TestLoop()

    init() throws {
        authority = try TLSAuthority()
        loop.loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
    }

    private static let asked = TranscriptMessage.challenge(
        NSURLAuthenticationMethodServerTrust,
        failures: 0
    )
    private static let loaded: [TranscriptMessage] = [.response(200), .data(3), .finished]

    private let script: [ScriptStep] = [.forever([.waitForRequest, .respond(body: "abc")])]

    /// Answers the challenge as a ported file would.
    private static func accepting() -> RecordingDelegate {
        RecordingDelegate(onChallenge: { challenge, _ in
            guard let trust = challenge.protectionSpace.serverTrust else { return }
            challenge.sender?.use(URLCredential(trust: trust), for: challenge)
        })
    }

    private static func answering(
        _ answer: @escaping @Sendable (URLAuthenticationChallenge) -> Void
    ) -> RecordingDelegate {
        RecordingDelegate(onChallenge: { challenge, _ in answer(challenge) })
    }

    /// A certificate with a fault, and what OpenSSL makes of it.
    enum Fault: CaseIterable {
        case none
        case expired
        case notYetValid
        case otherName
        case selfSigned
        case unknownAuthority

        func identity(_ authority: TLSAuthority) throws -> TLSIdentity {
            switch self {
            case .none: try authority.identity()
            case .expired: try authority.identity(validity: .expired)
            case .notYetValid: try authority.identity(validity: .notYetValid)
            case .otherName: try authority.identity(for: ["other.test"])
            case .selfSigned: try TLSIdentity.selfSigned()
            case .unknownAuthority: try TLSAuthority().identity()
            }
        }

        var kind: TrustFailure.Kind? {
            switch self {
            case .none: nil
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .otherName: .otherName
            case .selfSigned: .selfSigned
            case .unknownAuthority: .unknownAuthority
            }
        }
    }

    @Test(
        "Whatever its fault, a certificate that the delegate accepts is accepted",
        arguments: Fault.allCases
    )
    func accepted(fault: Fault) async throws {
        let server = try ScriptedServer(script, tls: fault.identity(authority))
        let delegate = try await load(server.request(), Self.accepting(), loop: loop.loop)
        #expect(delegate.transcript == [Self.asked] + Self.loaded)
        #expect(delegate.faults.isEmpty)
        let challenge = try #require(delegate.challenges.first)
        let space = challenge.protectionSpace
        #expect((space.host, space.port, space.protocol) == ("127.0.0.1", server.port, "https"))
        let trust = try #require(space.serverTrust)
        #expect(trust.host == "127.0.0.1")
        #expect(trust.failure?.kind == fault.kind)
        #expect((challenge.error as? URLError)?.code == trust.failure?.code)
        #expect(challenge.failureResponse == nil)
        #expect(trust.certificates.count == 1)
        // A certificate that counts costs no second handshake.
        #expect(server.connectionCount == (fault == .none ? 1 : 2))
        #expect(server.requests.count == 1)
    }

    @Test("Left to the default, the certificate itself decides", arguments: Fault.allCases)
    func left(fault: Fault) async throws {
        let server = try ScriptedServer(script, tls: fault.identity(authority))
        let answers: [@Sendable (URLAuthenticationChallenge) -> Void] = [
            { $0.sender?.performDefaultHandling(for: $0) },
            { $0.sender?.continueWithoutCredential(for: $0) },
            { $0.sender?.rejectProtectionSpaceAndContinue(with: $0) },
        ]
        for answer in answers {
            let delegate = try await load(
                server.request(),
                Self.answering(answer),
                loop: loop.loop
            )
            let code = delegate.challenges.first?.protectionSpace.serverTrust?.failure?.code
            let ending = code.map { [TranscriptMessage.failed($0)] } ?? Self.loaded
            // Delegates of one type share what was left to the default.
            let isShared = fault == .none && delegate.challenges.isEmpty
            #expect(delegate.transcript == (isShared ? [] : [Self.asked]) + ending)
        }
        #expect(server.requests.count == (fault == .none ? 3 : 0))
    }

    @Test("A credential for something else accepts nothing", arguments: [Fault.none, .selfSigned])
    func otherCredential(fault: Fault) async throws {
        let server = try ScriptedServer(script, tls: fault.identity(authority))
        let stranger = try ScriptedServer(script, tls: TLSIdentity.selfSigned())
        let other = try await load(stranger.request(), Self.accepting(), loop: loop.loop)
        let trust = try #require(other.challenges.first?.protectionSpace.serverTrust)
        let credentials = [
            URLCredential(trust: trust),
            URLCredential(user: "user", password: "password", persistence: .forSession),
        ]
        for credential in credentials {
            let delegate = Self.answering { $0.sender?.use(credential, for: $0) }
            try await load(server.request(), delegate, loop: loop.loop)
            #expect(delegate.transcript == [Self.asked, .failed(.serverCertificateUntrusted)])
        }
        try await server.closedByClient(connections: 2)
        #expect(server.requests.isEmpty)
    }

    @Test("Cancelled, the load fails as Apple's does", arguments: [Fault.none, .expired])
    func cancelled(fault: Fault) async throws {
        let server = try ScriptedServer(script, tls: fault.identity(authority))
        let delegate = Self.answering { $0.sender?.cancel($0) }
        try await load(server.request("/secret"), delegate, loop: loop.loop)
        #expect(delegate.transcript == [Self.asked, .failed(.userCancelledAuthentication)])
        #expect(delegate.urlError?.failingURL == server.url("/secret"))
        try await server.closedByClient(connections: 1)
        #expect(server.requests.isEmpty)
    }

    @Test("While a delegate thinks, nothing is sent for it and nobody else waits")
    func slowAnswer() async throws {
        let server = try ScriptedServer(script, tls: authority.identity())
        let (asked, answer) = (Gate(), Gate())
        let slow = Self.answering { challenge in
            asked.open()
            try? answer.wait()
            challenge.sender?.performDefaultHandling(for: challenge)
        }
        let connection = makeConnection(server.request("/slow"), slow, loop: loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await asked.opened()
        for _ in 0..<3 {
            let other = try await load(server.request("/quick"), Self.accepting(), loop: loop.loop)
            #expect(other.transcript == [Self.asked] + Self.loaded)
        }
        #expect(server.requests.map(\.target) == ["/quick", "/quick", "/quick"])
        answer.open()
        try await slow.ended()
        #expect(slow.transcript == [Self.asked] + Self.loaded)
    }

    @Test("Cancelled by its owner while the delegate thinks, a connection is closed and silent")
    func ownerCancels() async throws {
        let server = try ScriptedServer(script, tls: authority.identity())
        let delegate = RecordingDelegate(onChallenge: { _, connection in connection.cancel() })
        let connection = makeConnection(server.request(), delegate, loop: loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await server.closedByClient(connections: 1)
        #expect(delegate.transcript == [Self.asked])
        #expect(server.requests.isEmpty)
    }

    @Test("A delegate without a method for challenges costs no question after the first load")
    func nobody() async throws {
        let server = try ScriptedServer(script, tls: authority.identity())
        for _ in 0..<5 {
            let delegate = Silent()
            let connection = makeConnection(server.request(), delegate, loop: loop.loop)
            connection.setDelegateQueue(OperationQueue())
            connection.start()
            try await delegate.finished.opened()
        }
        // The first load finds out; the others share a network connection.
        #expect(server.connectionCount == 2)
        #expect(server.requests.count == 5)
    }

    /// Has no method for challenges.
    private final class Silent: NSObject, NSURLConnectionDataDelegate, Sendable {
        let finished = Gate()

        func connectionDidFinishLoading(_ connection: NSURLConnection) { finished.open() }
    }

    // MARK: - How far an exception goes

    @Test("An exception holds for a load with its redirects, and for no other load")
    func exceptions() async throws {
        let server = try ScriptedServer(
            [
                .forever([
                    .waitForRequest, .respond(302, ["Location: /next"]),
                    .waitForRequest, .respond(body: "abc"),
                ])
            ],
            tls: TLSIdentity.selfSigned()
        )
        for _ in 0..<2 {
            let delegate = try await load(server.request(), Self.accepting(), loop: loop.loop)
            #expect(delegate.transcript == [Self.asked] + Self.loaded)
        }
        #expect(server.requests.count == 4)
        // Each load had its first handshake refused; both had the same exception.
        #expect(server.connectionCount == 3)
        let plain = try await load(server.request(), loop: loop.loop)
        #expect(plain.transcript == [.failed(.serverCertificateUntrusted)])
        let refusing = Self.answering { $0.sender?.performDefaultHandling(for: $0) }
        try await load(server.request(), refusing, loop: loop.loop)
        #expect(refusing.transcript == [Self.asked, .failed(.serverCertificateUntrusted)])
        #expect(server.requests.count == 4)
    }

    @Test("A body from a stream is not begun before the certificate is accepted")
    func stream() async throws {
        let server = try ScriptedServer(script, tls: TLSIdentity.selfSigned())
        var request = server.request(method: "POST")
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        let delegate = try await load(request, Self.accepting(), loop: loop.loop)
        #expect(delegate.transcript == [Self.asked] + Self.loaded)
        #expect(server.requests.map(\.bodyText) == ["body"])
    }

    // MARK: - Redirects and passwords

    @Test("Each server that a load is led to is asked about, before it is told anything")
    func redirect() async throws {
        let target = try ScriptedServer(script, tls: TLSIdentity.selfSigned())
        let server = try ScriptedServer(
            [.waitForRequest, .respond(302, ["Location: \(target.url("/there"))"])],
            tls: authority.identity()
        )
        let delegate = try await load(server.request(), Self.accepting(), loop: loop.loop)
        #expect(delegate.transcript == [Self.asked, Self.asked] + Self.loaded)
        let ports = delegate.challenges.map(\.protectionSpace.port)
        #expect(ports == [server.port, target.port])
    }

    @Test("A delegate that answers for trust and for a password is asked once for each")
    func password() async throws {
        let server = try ScriptedServer(
            [
                .waitForRequest,
                .respond(401, ["WWW-Authenticate: Basic realm=\"r\""]),
                .waitForRequest, .respond(body: "abc"),
            ],
            tls: authority.identity()
        )
        let delegate = Self.answering { challenge in
            let credential =
                challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
                ?? URLCredential(user: "u", password: "p", persistence: .none)
            challenge.sender?.use(credential, for: challenge)
        }
        try await load(server.request(), delegate, loop: loop.loop)
        let basic = TranscriptMessage.challenge(NSURLAuthenticationMethodHTTPBasic, failures: 0)
        #expect(delegate.transcript == [Self.asked, basic] + Self.loaded)
        #expect(server.connectionCount == 1)
        #expect(server.requests.last?["Authorization"] == "Basic dTpw")
    }

    @Test("A credential for TLS is sent to nobody as a name and a password")
    func noPassword() async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .respond(401, ["WWW-Authenticate: Basic realm=\"r\""], body: "abc")],
            tls: TLSIdentity.selfSigned()
        )
        let held = Held()
        let delegate = Self.answering { challenge in
            if let trust = challenge.protectionSpace.serverTrust {
                held.credential = URLCredential(trust: trust)
            }
            guard let credential = held.credential else { return }
            challenge.sender?.use(credential, for: challenge)
        }
        try await load(server.request(), delegate, loop: loop.loop)
        let basic = TranscriptMessage.challenge(NSURLAuthenticationMethodHTTPBasic, failures: 0)
        #expect(
            delegate.transcript == [Self.asked, basic, .response(401), .data(3), .finished]
        )
        #expect(server.requests.count == 1)
    }

    /// Written and read inside the messages of one delegate.
    private final class Held: @unchecked Sendable {
        var credential: URLCredential?
    }
}
