import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// RFC 9112 section 9.5: who sends a body watches for an answer meanwhile, and stops.
@Suite("Answers before the body is out", .timeLimit(.minutes(1)))
struct EarlyAnswerTests {
    /// What goes out.
    enum Body: CaseIterable {
        case data
        case chunks
        case stream
    }

    /// More than all buffers on the way hold.
    private static let size = 32 << 20
    private static let refused: [TranscriptMessage] = [.response(413), .data(7), .finished]

    private func post(_ server: ScriptedServer, _ body: Body) -> URLRequest {
        var request = server.request("/f", method: "POST")
        switch body {
        case .data:
            request.httpBody = Data(count: Self.size)
        case .chunks:
            request.httpBodyStream = PatternStream(size: Self.size)
        case .stream:
            request.httpBodyStream = PatternStream(size: Self.size)
            request.setValue("\(Self.size)", forHTTPHeaderField: "Content-Length")
        }
        return request
    }

    @Test(
        "A refusal is delivered, and the rest of the body is not sent",
        arguments: Body.allCases,
        [false, true]
    )
    func refusal(body: Body, closes: Bool) async throws {
        let fields = closes ? "Connection: close\r\n" : ""
        let server = try ScriptedServer([
            .waitForHead, .take(65_536),
            .send("HTTP/1.1 413 X\r\n\(fields)Content-Length: 7\r\n\r\ntoo big"), .hold,
        ])
        let test = TestLoop()
        let delegate = try await load(post(server, body), loop: test.loop)
        #expect(delegate.transcript == Self.refused)
        // It reads on; a client that went on sending would not have closed.
        try await server.closedByClient(connections: 1)
    }

    @Test("A server that closes at once is heard, although the body runs into a reset")
    func reset() async throws {
        for body in Body.allCases {
            let server = try ScriptedServer([
                .waitForHead, .take(65_536),
                .send("HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 7\r\n\r\ntoo big"),
                .reset,
            ])
            let test = TestLoop()
            let delegate = try await load(post(server, body), loop: test.loop)
            // A reset throws away what the other side has not read yet.
            let isWhole = delegate.transcript == Self.refused
            #expect(isWhole || delegate.transcript.last == .failed(.networkConnectionLost))
            #expect(server.connectionCount == 1)
        }
    }

    @Test(
        "The body of a refusal may come later: nothing is sent meanwhile",
        arguments: Body.allCases
    )
    func lateBody(body: Body) async throws {
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForHead, .take(65_536),
            .send("HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 7\r\n\r\n"),
            .waitFor(goOn), .send("too big"), .halfClose, .hold,
        ])
        let test = TestLoop()
        let delegate = RecordingDelegate()
        let connection = makeConnection(post(server, body), delegate, loop: test.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.heard { $0 == .response(413) }
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == Self.refused)
        try await server.closedByClient(connections: 1)
    }

    @Test("A refusal ends the wait for a stream that brings nothing", arguments: [false, true])
    func blockedStream(closes: Bool) async throws {
        let fields = closes ? "Connection: close\r\n" : ""
        let gate = Gate()
        let stream = GatedStream([(gate, [1])])
        let watch = stream.watch
        let server = try ScriptedServer([
            .waitForHead, .waitFor(watch.isRead),
            .send("HTTP/1.1 403 X\r\n\(fields)Content-Length: 7\r\n\r\ntoo big"), .hold,
        ])
        var request = server.request("/f", method: "POST")
        request.httpBodyStream = stream
        let test = TestLoop()
        let delegate = try await load(request, loop: test.loop)
        #expect(delegate.transcript == [.response(403), .data(7), .finished])
        try await server.closedByClient(connections: 1)
        gate.open()
        try await watch.isClosed.opened()
    }

    @Test("A good answer ends nothing: the body is sent to its end", arguments: Body.allCases)
    func goodAnswer(body: Body) async throws {
        let server = try ScriptedServer([
            .waitForHead, .send("HTTP/1.1 200 X\r\nContent-Length: 3\r\n\r\nabc"),
            .take(Self.size), .hold,
        ])
        let test = TestLoop()
        let delegate = RecordingDelegate(keepsSentBody: true)
        try await load(post(server, body), delegate, loop: test.loop)
        #expect(delegate.transcript.last == .finished)
        #expect(delegate.messages.contains { $0.message == .sentBody(Self.size) })
        #expect(delegate.body == Data("abc".utf8))
    }

    @Test("A redirect before the body is out is followed on another network connection")
    func redirect() async throws {
        let server = try ScriptedServer(
            [.waitForHead, .respond(303, ["Location: /next"]), .hold],
            [.waitForRequest, .respond(200, body: "abc")]
        )
        let test = TestLoop()
        let delegate = try await load(post(server, .stream), loop: test.loop)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        try await server.closedByClient(connections: 1)
    }
}
