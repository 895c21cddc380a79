import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Challenges against a server that plays a script; the schemes beside Basic are in SchemeTests.
@Suite("Challenges", .timeLimit(.minutes(1)))
struct ChallengeTests {
    private let answer = ScriptStep.respond(200, body: "abc")

    @Test("A credential is sent, and the refusal's body is not delivered")
    func used() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let delegate = try await load(server.request("/f"), .using(.right()))
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 0), .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(server.requests.map(\.target) == ["/f", "/f"])
        #expect(server.requests.map { $0["Authorization"] } == [nil, rightBasic])
        // One network connection: the refusal was read to its end.
        #expect(server.connectionCount == 1)
    }

    @Test("A challenge says who asks, for what, and shows the refusal")
    func space() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let delegate = try await load(server.request(), .using(.right()))
        let challenge = try #require(delegate.challenges.first)
        let space = challenge.protectionSpace
        #expect(space.host == "127.0.0.1" && space.port == server.port)
        #expect(space.protocol == "http" && space.realm == "r" && !space.isProxy())
        #expect(challenge.proposedCredential == nil)
        #expect((challenge.failureResponse as? HTTPURLResponse)?.statusCode == 401)
    }

    @Test("A body is sent again with the credential")
    func body() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        var request = server.request("/f", method: "POST")
        request.httpBody = Data(CounterPattern.bytes(count: 100_000))
        let delegate = try await load(request, .using(.right()))
        #expect(delegate.transcript.last == .finished)
        #expect(server.requests.map(\.body.count) == [100_000, 100_000])
        #expect(server.requests.last.map { Data($0.body) } == request.httpBody)
    }

    @Test("A field that the caller has set gives way to the credential")
    func ownField() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let request = server.request(fields: ["Authorization": "Bearer old", "X-A": "1"])
        let delegate = try await load(request, .using(.right()))
        // What was sent before counts as a failure.
        #expect(delegate.transcript.first == .challenge(basicMethod, failures: 1))
        let sent = server.requests.map { $0.values(for: "Authorization") }
        #expect(sent == [["Bearer old"], [rightBasic]])
        #expect(server.requests.map { $0["X-A"] } == ["1", "1"])
    }

    @Test("A refused credential is proposed by the next challenge, which counts one failure more")
    func refusedAgain() async throws {
        let server = try ScriptedServer([
            .again(times: 2, [.waitForRequest, .refuse]), .waitForRequest, answer,
        ])
        let delegate = RecordingDelegate.answering { sender, challenge in
            let isFirst = challenge.previousFailureCount == 0
            sender.use(isFirst ? .wrong() : .right(), for: challenge)
        }
        try await load(server.request(), delegate)
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 0), .challenge(basicMethod, failures: 1),
            .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(delegate.challenges.last?.proposedCredential?.password == "wrong")
    }

    @Test("Continuing without a credential delivers the refusal and its body, and finishes")
    func continued() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse])
        let delegate = RecordingDelegate.answering { $0.continueWithoutCredential(for: $1) }
        try await load(server.request(), delegate)
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 0), .response(401), .data(6), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(delegate.body == Data("denied".utf8))
    }

    @Test("A large refusal that is delivered comes whole, after a late answer too")
    func continuedLarge() async throws {
        let head = "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic\r\nContent-Length: 3000000\r\n\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(head), .sendPattern(3_000_000)])
        let asked = Gate()
        let delegate = RecordingDelegate(onChallenge: { _, _ in asked.open() })
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await asked.opened()
        let challenge = try #require(delegate.challenges.first)
        challenge.sender?.continueWithoutCredential(for: challenge)
        try await delegate.ended()
        #expect(delegate.transcript.suffix(3) == [.response(401), .data(3_000_000), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
    }

    @Test("A large refusal that is not wanted is not read: the retry opens a network connection")
    func retriedLarge() async throws {
        let head = "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic\r\nContent-Length: 3000000\r\n\r\n"
        let server = try ScriptedServer(
            [.waitForRequest, .send(head), .sendPattern(3_000_000)],
            [.waitForRequest, answer]
        )
        let delegate = try await load(server.request(), .using(.right()))
        #expect(delegate.transcript.suffix(3) == [.response(200), .data(3), .finished])
        #expect(server.connectionCount == 2)
    }

    @Test("Cancelling a challenge fails the connection")
    func cancelled() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse])
        let delegate = RecordingDelegate.answering { $0.cancel($1) }
        try await load(server.request("/f"), delegate)
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 0), .failed(.userCancelledAuthentication),
        ]
        #expect(delegate.transcript == wanted)
        #expect(delegate.urlError?.failingURL == server.url("/f"))
    }

    @Test("A second answer has no effect")
    func answeredTwice() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let delegate = RecordingDelegate.answering { sender, challenge in
            sender.use(.right(), for: challenge)
            sender.cancel(challenge)
            sender.continueWithoutCredential(for: challenge)
        }
        try await load(server.request(), delegate)
        #expect(delegate.transcript.suffix(3) == [.response(200), .data(3), .finished])
    }

    @Test(
        "After a rejection the next scheme is asked about, and after the last one nobody is let in"
    )
    func rejected() async throws {
        let refusal = ScriptStep.respond(
            401,
            [#"WWW-Authenticate: Basic realm="b", Digest realm="d", nonce="n""#],
            body: "denied"
        )
        let server = try ScriptedServer([.waitForRequest, refusal])
        let delegate = RecordingDelegate.answering {
            $0.rejectProtectionSpaceAndContinue(with: $1)
        }
        try await load(server.request(), delegate)
        let wanted: [TranscriptMessage] = [
            .challenge(digestMethod, failures: 0), .challenge(basicMethod, failures: 0),
            .response(401), .data(6), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(delegate.challenges.map(\.protectionSpace.realm) == ["d", "b"])
    }

    @Test(
        "A credential that can't be sent fails the connection with a sentence",
        arguments: [("a\r\nX: y", "p"), ("u", "p\u{0}"), ("a:b", "p")]
    )
    func unsendable(user: String, password: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let credential = URLCredential(user: user, password: password, persistence: .none)
        let delegate = try await load(server.request(), .using(credential))
        #expect(delegate.transcript.last == .failed(.userAuthenticationRequired))
        #expect(server.requests.count == 1)
    }

    @Test("After an authenticated redirect to another server that one asks again, from 0 failures")
    func redirected() async throws {
        let second = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let first = try ScriptedServer([
            .waitForRequest, .refuse,
            .waitForRequest, .respond(302, ["Location: \(second.url("/b"))"]),
        ])
        let delegate = try await load(first.request("/a"), .using(.right()))
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 0), .challenge(basicMethod, failures: 0),
            .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(delegate.challenges.map(\.protectionSpace.port) == [first.port, second.port])
        #expect(second.requests.map { $0["Authorization"] } == [nil, rightBasic])
    }

    @Test("A 407 of a server that is no proxy is an answer like any other")
    func noProxy() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(407, ["Proxy-Authenticate: Basic realm=x"], body: "no"),
        ])
        let delegate = try await load(server.request(), .using(.right()))
        #expect(delegate.transcript == [.response(407), .data(2), .finished])
    }
}
