import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bodies from streams", .timeLimit(.minutes(1)))
struct StreamTests {
    private let answer: [ScriptStep] = [.forever([.waitForRequest, .respond(200, body: "abc")])]

    private func post(
        _ server: ScriptedServer,
        _ stream: InputStream,
        length: Int? = nil
    ) -> URLRequest {
        var request = server.request("/f", method: "POST")
        request.httpBodyStream = stream
        if let length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
        return request
    }

    @Test("A file goes out in chunks, and its progress is told before the response")
    func file() async throws {
        let server = try ScriptedServer(answer)
        let body = CounterPattern.bytes(count: 300_000)
        let path = NSTemporaryDirectory() + UUID().uuidString
        try Data(body).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let stream = try #require(InputStream(fileAtPath: path))
        let delegate = RecordingDelegate(keepsSentBody: true)
        try await load(post(server, stream), delegate)
        #expect(
            delegate.transcript == [.sentBody(300_000), .response(200), .data(3), .finished]
        )
        #expect(delegate.expectedToSend == -1)
        let request = try #require(server.requests.first)
        #expect(request["Transfer-Encoding"] == "chunked")
        #expect(request["Content-Length"] == nil)
        #expect(request["Expect"] == nil)
        #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request.body == body)
    }

    @Test("A stream whose owner sets Content-Length goes out with it")
    func knownLength() async throws {
        let server = try ScriptedServer(answer)
        let body = CounterPattern.bytes(count: 300_000)
        let delegate = RecordingDelegate(keepsSentBody: true)
        try await load(post(server, InputStream(data: Data(body)), length: body.count), delegate)
        #expect(
            delegate.transcript == [.sentBody(300_000), .response(200), .data(3), .finished]
        )
        #expect(delegate.expectedToSend == 300_000)
        let request = try #require(server.requests.first)
        #expect(request.values(for: "Content-Length") == ["300000"])
        #expect(request["Transfer-Encoding"] == nil)
        #expect(request.body == body)
    }

    @Test("Data goes out with its length, and its progress is told")
    func data() async throws {
        let server = try ScriptedServer(answer)
        var request = server.request("/f", method: "PUT")
        request.httpBody = Data(CounterPattern.bytes(count: 300_000))
        let delegate = RecordingDelegate(keepsSentBody: true)
        try await load(request, delegate)
        #expect(
            delegate.transcript == [.sentBody(300_000), .response(200), .data(3), .finished]
        )
        #expect(delegate.expectedToSend == 300_000)
    }

    @Test(
        "A stream of another length than was set fails, and the server never has a whole body",
        arguments: [0, 1, 7, 9, 100_000]
    )
    func wrongLength(count: Int) async throws {
        let server = try ScriptedServer(answer)
        let stream = InputStream(data: Data(count: count))
        let delegate = try await load(post(server, stream, length: 8))
        #expect(delegate.transcript == [.failed(.requestBodyStreamExhausted)])
        let sentence = delegate.error?.localizedDescription ?? ""
        #expect(sentence.contains(count < 8 ? "fewer bytes than the 8" : "more bytes than the 8"))
        try await server.closedByClient(connections: 1)
        #expect(server.requests.isEmpty)
    }

    @Test("A Content-Length that is no number is refused", arguments: ["", "-1", "x", "1, 1"])
    func badLength(value: String) async throws {
        let server = try ScriptedServer(answer)
        var request = post(server, InputStream(data: Data(count: 1)))
        request.allHTTPHeaderFields = ["Content-Length": value]
        let delegate = try await load(request)
        #expect(delegate.transcript == [.failed(.badURL)])
        #expect(server.connectionCount == 0)
    }

    @Test("An empty stream is an empty body", arguments: [nil, 0])
    func empty(length: Int?) async throws {
        let server = try ScriptedServer(answer)
        let delegate = RecordingDelegate(keepsSentBody: true)
        try await load(post(server, InputStream(data: Data()), length: length), delegate)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(server.requests.first?.body == [])
        #expect(server.requests.first?["Content-Length"] == (length == nil ? nil : "0"))
    }

    @Test("A stream that can't be opened fails with a sentence")
    func missingFile() async throws {
        let server = try ScriptedServer(answer)
        let stream = try #require(InputStream(fileAtPath: "/nowhere/at/all"))
        let delegate = try await load(post(server, stream))
        #expect(delegate.transcript == [.failed(.requestBodyStreamExhausted)])
        let sentence = delegate.error?.localizedDescription ?? ""
        #expect(sentence.hasPrefix("The body stream can't be opened"))
    }

    @Test("A stream that was opened before, or was sent before, fails with a sentence")
    func used() async throws {
        let server = try ScriptedServer(answer)
        let opened = InputStream(data: Data(count: 3))
        opened.open()
        let sent = InputStream(data: Data(count: 3))
        try await load(post(server, sent))
        for stream in [opened, sent] {
            let delegate = try await load(post(server, stream))
            #expect(delegate.transcript == [.failed(.requestBodyStreamExhausted)])
            let sentence = delegate.error?.localizedDescription ?? ""
            #expect(sentence.contains("opened before"))
        }
        #expect(server.requests.count == 1)
    }

    @Test("A GET with a stream is refused before anything is sent", arguments: ["GET", "HEAD"])
    func getWithStream(method: String) async throws {
        let server = try ScriptedServer(answer)
        var request = server.request(method: method)
        request.httpBodyStream = InputStream(data: Data(count: 1))
        request.httpMethod = method
        let delegate = try await load(request)
        #expect(delegate.transcript == [.failed(.dataLengthExceedsMaximum)])
        #expect(server.connectionCount == 0)
    }

    @Test("A stream of one's own that blocks holds up nobody else, and is read off the loop")
    func blocking() async throws {
        let server = try ScriptedServer(answer)
        let gates = (0..<3).map { _ in Gate() }
        let stream = GatedStream(gates.map { ($0, [1, 2, 3]) })
        let test = TestLoop()
        let delegate = RecordingDelegate(keepsSentBody: true)
        let connection = makeConnection(post(server, stream), delegate, loop: test.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        for (index, gate) in gates.enumerated() {
            try await stream.watch.isRead.opened()
            let other = try await load(server.request(), loop: test.loop)
            #expect(other.transcript == [.response(200), .data(3), .finished])
            gate.open()
            let total = 3 * (index + 1)
            try await delegate.heard { $0 == .sentBody(total) }
        }
        try await delegate.ended()
        #expect(delegate.transcript == [.sentBody(9), .response(200), .data(3), .finished])
        try await stream.watch.isClosed.opened()
        let loopThread = Guarded<ThreadNumber?>(nil)
        let looked = Gate()
        test.loop.perform {
            loopThread.withLock { $0 = .current }
            looked.open()
        }
        try await looked.opened()
        let thread = try #require(loopThread.withLock { $0 })
        #expect(!stream.watch.threads.withLock { $0.contains(thread) })
    }

    @Test("Cancelled while a stream blocks, it is silent at once, and the stream closes later")
    func cancel() async throws {
        let server = try ScriptedServer([.waitForHead, .hold])
        let gate = Gate()
        let stream = GatedStream([(gate, [1])])
        let delegate = RecordingDelegate(keepsSentBody: true)
        let connection = makeConnection(post(server, stream), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await stream.watch.isRead.opened()
        connection.cancel()
        try await server.closedByClient(connections: 1)
        #expect(!stream.watch.isClosed.isOpen)
        gate.open()
        try await stream.watch.isClosed.opened()
        #expect(delegate.transcript == [])
    }

    @Test("A stream that brings nothing is not the network's idleness; a server that is silent is")
    func idle() async throws {
        let manual = ManualLoop()
        let test = TestLoop(manual)
        let server = try ScriptedServer([.waitForRequest, .hold])
        let gate = Gate()
        let stream = GatedStream([(gate, [1, 2])])
        var request = post(server, stream)
        request.timeoutInterval = 100
        let delegate = RecordingDelegate(keepsSentBody: true)
        let connection = makeConnection(request, delegate, loop: test.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await stream.watch.isRead.opened()
        try await load(ScriptedServer(answer).request(), loop: test.loop)
        manual.advance(by: .seconds(1_000))
        try await load(ScriptedServer(answer).request(), loop: test.loop)
        #expect(delegate.transcript == [])
        gate.open()
        try await server.received(requests: 1)
        try await load(ScriptedServer(answer).request(), loop: test.loop)
        manual.advance(by: .seconds(101))
        try await delegate.ended()
        #expect(delegate.transcript == [.sentBody(2), .failed(.timedOut)])
    }
}
