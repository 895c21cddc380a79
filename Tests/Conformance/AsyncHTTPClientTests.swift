import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What AsyncHTTPClient's tests try about network connections that are used again, or end too early.
///
/// See README.md for those that are tested elsewhere.
@Suite("AsyncHTTPClient", .timeLimit(.minutes(1)))
struct AsyncHTTPClientTests {
    private let session = Session()
    private let whole: [Callbacks.Callback] = [.response(200), .data, .complete]

    // MARK: - Network connections that are used again

    @Test("A server that closes behind its answer is asked on a new network connection")
    func closesAfterResponse() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc"), .finish])
        for _ in 1...10 {
            let callbacks = try await session.load(server.request())
            #expect(callbacks.all == whole)
        }
        #expect(server.connectionCount == 10)
    }

    @Test("Keeping the network connection and closing it may alternate")
    func alternation() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(200, body: "abc"),
            .waitForRequest, .respond(200, ["Connection: close"], body: "abc"), .finish,
        ])
        for _ in 1...10 {
            let callbacks = try await session.load(server.request())
            #expect(callbacks.all == whole)
        }
        #expect(server.requests.map(\.connection) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    }

    @Test("A server that says close but does not is not asked again on that network connection")
    func closeThatIsNone() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(200, ["Connection: close"], body: "abc"), .hold,
        ])
        for _ in 1...3 {
            let callbacks = try await session.load(server.request())
            #expect(callbacks.all == whole)
        }
        #expect(server.requests.map(\.connection) == [0, 1, 2])
        try await server.closedByClient(connections: 3)
    }

    @Test(
        "A request that a kept network connection does not answer any more is sent on a new one",
        arguments: ["GET", "HEAD", "PUT", "DELETE", "POST"],
        [ScriptStep.finish, .reset]
    )
    func keptConnectionDies(method: String, end: ScriptStep) async throws {
        let server = try ScriptedServer(
            [
                .waitForRequest, .respond(200, body: "abc"),
                // It has read the request before it goes.
                .waitForRequest, end,
            ],
            [.waitForRequest, Session.respond(200, method: method), .hold]
        )
        try await session.load(server.request("/first"))
        var request = server.request("/second", method: method)
        if ["PUT", "POST"].contains(method) { request.httpBody = Data("what is sent".utf8) }
        let callbacks = try await session.load(request)
        #expect(callbacks.answers == Session.whole(200, method: method))
        let later = server.requests.filter { $0.target == "/second" }
        #expect(later.map(\.connection) == [0, 1])
        #expect(Set(later.map(\.body)).count == 1)
    }

    @Test("A new network connection that ends without an answer is no place to try again")
    func closesBeforeResponse() async throws {
        for end in [ScriptStep.finish, .reset] {
            let server = try ScriptedServer([.waitForRequest, end])
            let callbacks = try await session.load(server.request())
            #expect(callbacks.all == [.failed(.networkConnectionLost)])
            #expect(server.connectionCount == 1)
        }
    }

    @Test("Idle network connections that the server closes are not asked")
    func idlePool() async throws {
        let (mayAnswer, mayClose) = (Gate(), Gate())
        let first: [ScriptStep] = [
            .waitForRequest, .waitFor(mayAnswer), .respond(200, body: "abc"),
            .waitFor(mayClose), .finish,
        ]
        let server = try ScriptedServer(
            first,
            first,
            first,
            first,
            [.forever([.waitForRequest, .respond(200, body: "abc")])]
        )
        let delegates = (1...4).map { _ in Callbacks() }
        for delegate in delegates {
            try session.connection(server.request("/first"), delegate).start()
        }
        try await server.received(requests: 4)
        mayAnswer.open()
        for delegate in delegates { try await delegate.ended() }
        mayClose.open()
        for _ in 1...4 {
            let callbacks = try await session.load(server.request("/later", method: "POST"))
            #expect(callbacks.answers == whole)
        }
        let later = server.requests.filter { $0.target == "/later" }
        #expect(later.map(\.connection) == [4, 4, 4, 4])
    }

    // MARK: - Answers while a body is being sent

    private func upload(to server: ScriptedServer) -> URLRequest {
        var request = server.request("/upload", method: "POST")
        request.httpBody = Data(count: 8 << 20)
        return request
    }

    @Test("An answer that comes before the body was read is told, and the body goes on")
    func earlyAnswer() async throws {
        let server = try ScriptedServer([
            .waitForHead, .respond(200, body: "enough"), .take(8 << 20),
            .waitForRequest, .respond(200, body: "next"),
        ])
        let callbacks = try await session.load(upload(to: server))
        #expect(callbacks.answers == whole)
        #expect(callbacks.text == "enough")
        let next = try await session.load(server.request("/next"))
        #expect(next.all == whole)
    }

    @Test(
        "An answer that comes before the body was read, and a close, is told",
        arguments: [200, 413]
    )
    func earlyAnswerAndClose(status: Int) async throws {
        let server = try ScriptedServer([
            .waitForHead, .respond(status, ["Connection: close"], body: "enough"), .halfClose,
            .hold,
        ])
        let callbacks = try await session.load(upload(to: server))
        #expect(callbacks.answers == [.response(status), .data, .complete])
        #expect(callbacks.text == "enough")
    }

    @Test("A server that goes while it is being sent a body makes a failure")
    func closesDuringUpload() async throws {
        let server = try ScriptedServer([.waitForHead, .take(1000), .reset])
        let callbacks = try await session.load(upload(to: server))
        #expect(callbacks.answers == [.failed(.networkConnectionLost)])
    }

    // MARK: - Loops

    @Test("A redirect to itself, and one there and back, end at the limit", arguments: [1, 2])
    func redirectLoop(length: Int) async throws {
        let steps = (1...length).flatMap { number in
            [.waitForRequest, .respond(301, ["Location: /\(number % length)"])] as [ScriptStep]
        }
        let server = try ScriptedServer([.forever(steps)])
        let callbacks = try await session.load(server.request("/0"))
        #expect(callbacks.all.last == .failed(.httpTooManyRedirects))
        #expect(callbacks.proposals.count == 20)
        #expect(server.requests.count == 21)
    }
}
