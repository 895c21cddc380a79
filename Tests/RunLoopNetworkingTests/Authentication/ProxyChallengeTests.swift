import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Proxies that ask who uses them, and a delegate that knows.
@Suite("Challenges of proxies", .timeLimit(.minutes(1)))
struct ProxyChallengeTests {
    private static let question = #"Proxy-Authenticate: Basic realm="proxy""#
    private static let opened = ScriptStep.send("HTTP/1.1 200 Connection established\r\n\r\n")

    private let loop = TestLoop()
    private let answer = ScriptStep.respond(200, body: "abc")
    private let refusal = ScriptStep.respond(407, [question], body: "who?")

    private func load(
        _ text: String,
        through proxy: ScriptedServer,
        as user: String = "",
        _ delegate: RecordingDelegate
    ) async throws {
        let server = try ProxyServer("\(user)127.0.0.1:\(proxy.port)")
        loop.loop.connectionSettings.proxy = .server(server)
        let request = URLRequest(url: try #require(URL(string: text)))
        try await RunLoopNetworkingTests.load(request, delegate, loop: loop.loop)
    }

    /// A delegate that lets TLS be, and answers the rest.
    private func answering(
        _ answer:
            @escaping @Sendable (
                any URLAuthenticationChallengeSender, URLAuthenticationChallenge
            ) -> Void
    ) -> RecordingDelegate {
        .answering { sender, challenge in
            if challenge.protectionSpace.authenticationMethod == basicMethod {
                answer(sender, challenge)
            } else {
                sender.performDefaultHandling(for: challenge)
            }
        }
    }

    @Test("The delegate is asked for the proxy, then for the server, and each is told its own")
    func both() async throws {
        // libcurl keeps network connections for different users of a proxy apart.
        let proxy = try ScriptedServer(
            [.waitForRequest, refusal],
            [.waitForRequest, .refuse, .waitForRequest, answer]
        )
        let delegate = answering { sender, challenge in
            let isProxy = challenge.protectionSpace.isProxy()
            let user = isProxy ? "proxy" : "server"
            sender.use(
                URLCredential(user: user, password: "p", persistence: .none),
                for: challenge
            )
        }
        try await load("http://origin.invalid/f", through: proxy, delegate)
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 0), .challenge(basicMethod, failures: 0),
            .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
        let spaces = delegate.challenges.map(\.protectionSpace)
        #expect(spaces.map { $0.isProxy() } == [true, false])
        #expect(spaces.map(\.host) == ["127.0.0.1", "origin.invalid"])
        #expect(spaces.map(\.port) == [proxy.port, 80])
        #expect(spaces.first?.proxyType == NSURLProtectionSpaceHTTPProxy)
        let (first, second) = ("Basic cHJveHk6cA==", "Basic c2VydmVyOnA=")
        let toProxy = proxy.requests.map { $0["Proxy-Authorization"] }
        #expect(toProxy == [nil, first, first])
        #expect(proxy.requests.map { $0["Authorization"] } == [nil, nil, second])
    }

    @Test("Continuing without delivers the proxy's refusal, cancelling fails")
    func ends() async throws {
        let proxy = try ScriptedServer([.forever([.waitForRequest, refusal])])
        let goesOn = answering { $0.continueWithoutCredential(for: $1) }
        try await load("http://origin.invalid/f", through: proxy, goesOn)
        #expect(goesOn.transcript.suffix(3) == [.response(407), .data(4), .finished])
        let cancels = answering { $0.cancel($1) }
        try await load("http://origin.invalid/f", through: proxy, cancels)
        #expect(cancels.transcript.last == .failed(.userCancelledAuthentication))
    }

    @Test("A user of the settings that the proxy refuses counts as a failure")
    func configured() async throws {
        let proxy = try ScriptedServer(
            [.waitForRequest, refusal, .waitForRequest, refusal],
            [.waitForRequest, answer]
        )
        let delegate = answering { $0.use(.right(), for: $1) }
        try await load("http://origin.invalid/f", through: proxy, as: "a:b@", delegate)
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 1), .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(proxy.requests.last?["Proxy-Authorization"] == rightBasic)
    }

    // MARK: - Tunnels

    @Test("A proxy that asks before it opens a tunnel is told, and the server behind it is not")
    func tunnel() async throws {
        let authority = try TLSAuthority()
        loop.loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
        let origin = try authority.identity(for: ["origin.invalid"])
        let proxy = try ScriptedServer(
            [.waitForRequest, refusal],
            [
                .waitForRequest, Self.opened, .startTLS(origin), .waitForRequest, answer,
            ]
        )
        let delegate = answering { $0.use(.right(), for: $1) }
        try await load("https://origin.invalid/f", through: proxy, delegate)
        #expect(delegate.transcript.suffix(3) == [.response(200), .data(3), .finished])
        #expect(proxy.requests.map(\.method) == ["CONNECT", "CONNECT", "GET"])
        let told = proxy.requests.map { $0["Proxy-Authorization"] }
        #expect(told == [nil, rightBasic, nil])
        let space = try #require(delegate.challenges.first?.protectionSpace)
        #expect(space.proxyType == NSURLProtectionSpaceHTTPSProxy && space.realm == "proxy")
        #expect(space.port == proxy.port)
    }

    @Test("Without an answer there is no tunnel, and the proxy's page is no content")
    func noTunnel() async throws {
        let proxy = try ScriptedServer([.waitForRequest, refusal])
        let goesOn = answering { $0.continueWithoutCredential(for: $1) }
        try await load("https://origin.invalid/f", through: proxy, goesOn)
        let asked = TranscriptMessage.challenge(basicMethod, failures: 0)
        #expect(goesOn.transcript == [asked, .failed(.userAuthenticationRequired)])
        let cancels = answering { $0.cancel($1) }
        try await load("https://origin.invalid/f", through: proxy, cancels)
        #expect(cancels.transcript == [asked, .failed(.userCancelledAuthentication)])
    }
}
