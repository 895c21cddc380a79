import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Scripted server", .timeLimit(.minutes(1)))
struct ScriptedServerTests {
    private func load(_ request: URLRequest, _ delegate: RecordingDelegate) async throws {
        let connection = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false
        )
        connection?.setDelegateQueue(OperationQueue())
        connection?.start()
        try await delegate.ended()
    }

    @Test("A request is recorded as it came, and the answer goes out as it was written")
    func exchange() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(201, ["X-Tag: v"], body: "abc"),
        ])
        var request = server.request("/f?q=1", method: "POST", fields: ["X-Mine": " a "])
        request.httpBody = Data("body".utf8)
        let delegate = RecordingDelegate()
        try await load(request, delegate)
        #expect(delegate.transcript == [.response(201), .data(3), .finished])
        #expect(delegate.body == Data("abc".utf8))
        #expect(delegate.faults.isEmpty)
        let recorded = try #require(server.requests.first)
        #expect(recorded.method == "POST")
        #expect(recorded.target == "/f?q=1")
        #expect(recorded.version == "HTTP/1.1")
        #expect(recorded["content-length"] == "4")
        #expect(recorded["X-Mine"] == "a")
        #expect(recorded.bodyText == "body")
    }

    @Test("The last script serves all later connections")
    func lastScript() async throws {
        let close = ["Connection: close"]
        let server = try ScriptedServer(
            [.waitForRequest, .respond(200, close, body: "first"), .finish],
            [.waitForRequest, .respond(200, close, body: "later"), .finish]
        )
        var bodies: [String] = []
        for _ in 0..<3 {
            let delegate = RecordingDelegate()
            try await load(server.request(), delegate)
            bodies.append(String(decoding: delegate.body, as: UTF8.self))
        }
        #expect(bodies == ["first", "later", "later"])
        #expect(server.connectionCount == 3)
        #expect(server.requests.map(\.connection) == [0, 1, 2])
    }

    @Test("A gate holds a script back until the test opens it")
    func gates() async throws {
        let reached = Gate()
        let more = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"),
            .open(reached), .waitFor(more), .send("b"),
        ])
        let delegate = RecordingDelegate { message, _ in
            if message == .data(1) { more.open() }
        }
        try await load(server.request(), delegate)
        try await reached.opened()
        #expect(
            delegate.messages.map(\.message) == [.response(200), .data(1), .data(1), .finished]
        )
    }

    @Test("A reset is seen as one, and an orderly end as one")
    func ends() async throws {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc"
        let heard = Gate()
        let server = try ScriptedServer(
            [.waitForRequest, .send(head), .waitFor(heard), .reset],
            [.waitForRequest, .send(head), .finish]
        )
        let cut = RecordingDelegate { message, _ in
            if message == .data(3) { heard.open() }
        }
        try await load(server.request(), cut)
        #expect(cut.transcript == [.response(200), .data(3), .failed(.networkConnectionLost)])
        let whole = RecordingDelegate()
        try await load(server.request(), whole)
        #expect(whole.transcript == [.response(200), .data(3), .finished])
    }

    @Test("Stopping ends scripts that wait for a gate, for time or for the client")
    func stop() async throws {
        let never = Gate()
        let server = try ScriptedServer(
            [.waitForRequest, .waitFor(never)],
            [.waitForRequest, .pause(.seconds(1_000))],
            [.waitForRequest, .hold]
        )
        let delegates = (0..<3).map { _ in RecordingDelegate() }
        for delegate in delegates {
            let connection = NSURLConnection(
                request: server.request(),
                delegate: delegate,
                startImmediately: false
            )
            connection?.setDelivery(.onLoop)
            connection?.start()
        }
        try await server.received(requests: 3)
        server.stop()
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.transcript == [.failed(.networkConnectionLost)])
        }
    }

    @Test("Pattern bytes are the same in one piece and in many")
    func pattern() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"),
            .sendPattern(100_001), .sendPattern(199_999, from: 100_001),
        ])
        let delegate = RecordingDelegate()
        try await load(server.request(), delegate)
        #expect(delegate.body.count == 300_000)
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        var wrong = CounterPattern.bytes(count: 9, from: 3)
        #expect(CounterPattern.firstDifference(in: wrong, from: 3) == nil)
        wrong[5] ^= 1
        #expect(CounterPattern.firstDifference(in: wrong, from: 3) == 8)
    }

    @Test("A large request body is read whole")
    func largeBody() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        var request = server.request("/", method: "PUT")
        request.httpBody = Data(CounterPattern.bytes(count: 70_000))
        let delegate = RecordingDelegate()
        try await load(request, delegate)
        #expect(server.requests.first?.body == CounterPattern.bytes(count: 70_000))
    }
}
