import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What happens while a challenge waits for its answer.
@Suite("While a challenge waits", .timeLimit(.minutes(1)))
struct ChallengeTimeTests {
    private let answer = ScriptStep.respond(200, body: "abc")

    /// Starts a load, and returns when its delegate has been asked.
    private func ask(
        _ request: URLRequest,
        loop: EventLoop = .shared
    ) async throws -> (NSURLConnection, RecordingDelegate) {
        let asked = Gate()
        let delegate = RecordingDelegate(onChallenge: { _, _ in asked.open() })
        let connection = makeConnection(request, delegate, loop: loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await asked.opened()
        return (connection, delegate)
    }

    @Test("A hundred others load to their ends while one challenge waits")
    func others() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let (_, delegate) = try await ask(server.request())
        let other = try ScriptedServer([.forever([.waitForRequest, answer])])
        let delegates = (0..<100).map { _ in RecordingDelegate() }
        for delegate in delegates {
            let connection = makeConnection(other.request(), delegate)
            connection.setDelegateQueue(OperationQueue())
            connection.start()
        }
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(3), .finished])
        }
        #expect(delegate.transcript == [.challenge(basicMethod, failures: 0)])
        let challenge = try #require(delegate.challenges.first)
        // From a thread of its own.
        try await onThread { challenge.sender?.use(.right(), for: challenge) }
        try await delegate.ended()
        #expect(delegate.transcript.suffix(3) == [.response(200), .data(3), .finished])
    }

    @Test("A delegate that blocks inside the message holds up no other")
    func blocking() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let asked = Gate()
        let thinks = Gate()
        let delegate = RecordingDelegate(onChallenge: { challenge, _ in
            asked.open()
            try? thinks.wait()
            challenge.sender?.use(.right(), for: challenge)
        })
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await asked.opened()
        let other = try ScriptedServer([.waitForRequest, answer])
        try await load(other.request())
        thinks.open()
        try await delegate.ended()
        #expect(delegate.transcript.last == .finished)
    }

    @Test("No time runs while the delegate thinks")
    func noTimeOut() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let manual = ManualLoop()
        let loop = TestLoop(manual)
        let (_, delegate) = try await ask(server.request(timeout: 5), loop: loop.loop)
        manual.advance(by: .seconds(600))
        let challenge = try #require(delegate.challenges.first)
        challenge.sender?.use(.right(), for: challenge)
        try await delegate.ended()
        #expect(delegate.transcript.last == .finished)
    }

    @Test("Time runs again when the delegate has answered")
    func timeOut() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, .hold])
        let manual = ManualLoop()
        let loop = TestLoop(manual)
        let (_, delegate) = try await ask(server.request(timeout: 5), loop: loop.loop)
        let challenge = try #require(delegate.challenges.first)
        challenge.sender?.use(.right(), for: challenge)
        try await server.received(requests: 2)
        manual.advance(by: .seconds(6))
        try await delegate.ended()
        #expect(delegate.transcript.last == .failed(.timedOut))
    }

    @Test("A refusal that is cut before the answer withdraws the challenge, and fails")
    func cut() async throws {
        let cut = Gate()
        let head = "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=r\r\nContent-Length: 9\r\n\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(head), .waitFor(cut), .finish])
        let (_, delegate) = try await ask(server.request())
        cut.open()
        try await delegate.ended()
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 0), .challengeWithdrawn, .failed(.zeroByteResource),
        ]
        #expect(delegate.transcript == wanted)
        // Too late.
        let challenge = try #require(delegate.challenges.first)
        challenge.sender?.use(.right(), for: challenge)
        try await onThread { try turnLoopByLoading() }
        #expect(server.requests.count == 1)
    }

    @Test("A loop that is shut down withdraws the challenge, and fails")
    func shutDown() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse])
        let loop = TestLoop()
        let (_, delegate) = try await ask(server.request(), loop: loop.loop)
        loop.loop.shutDown()
        try await delegate.ended()
        let wanted: [TranscriptMessage] = [
            .challenge(basicMethod, failures: 0), .challengeWithdrawn, .failed(.cancelled),
        ]
        #expect(delegate.transcript == wanted)
    }

    @Test("After a cancel an answer has no effect, and the delegate is let go of")
    func cancelled() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let freed = Gate()
        let challenge: URLAuthenticationChallenge
        do {
            let probe = Probe(freed)
            let asked = Gate()
            let delegate = RecordingDelegate(onChallenge: { _, _ in
                withExtendedLifetime(probe) { asked.open() }
            })
            let connection = makeConnection(server.request(), delegate)
            connection.setDelegateQueue(OperationQueue())
            connection.start()
            try await asked.opened()
            challenge = try #require(delegate.challenges.first)
            connection.cancel()
            #expect(delegate.transcript == [.challenge(basicMethod, failures: 0)])
        }
        // The challenge, which the test still has, keeps neither of them.
        try await freed.opened()
        challenge.sender?.use(.right(), for: challenge)
        try await server.closedByClient(connections: 1)
        #expect(server.requests.count == 1)
    }

    @Test("A challenge that nobody keeps gets the default handling")
    func forgotten() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse])
        let delegate = ForgetfulDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.finished.opened()
    }

    @Test("The retry goes out on a new network connection when the refusal closed the old one")
    func closed() async throws {
        let server = try ScriptedServer(
            [
                .waitForRequest,
                .respond(401, ["WWW-Authenticate: Basic", "Connection: close"], body: "no!"),
                .finish,
            ],
            [.waitForRequest, answer]
        )
        let (_, delegate) = try await ask(server.request())
        let challenge = try #require(delegate.challenges.first)
        challenge.sender?.use(.right(), for: challenge)
        try await delegate.ended()
        #expect(delegate.transcript.suffix(3) == [.response(200), .data(3), .finished])
        #expect(server.requests.map(\.connection) == [0, 1])
    }
}

/// A delegate that is asked, and forgets to answer.
private final class ForgetfulDelegate: NSObject, NSURLConnectionDataDelegate, Sendable {
    let finished = Gate()

    func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        finished.open()
    }
}
