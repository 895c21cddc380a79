import EventLoops
import NetworkingTestKit
import Testing

@testable import CurlTransfers

@Suite("Transfers that send a body", .timeLimit(.minutes(1)))
struct SendingTests {
    private func request(_ server: ScriptedServer, _ body: TransferBody) -> TransferRequest {
        var request = TransferRequest(
            url: server.url("/f").absoluteString,
            method: "POST",
            headerLines: ["Expect:"]
        )
        request.body = body
        return request
    }

    private func start(
        _ request: TransferRequest,
        _ listener: Listener,
        on rig: Rig
    ) async throws -> HandedOver {
        let transfer = HandedOver(request, listener)
        try await rig.onLoop { $0.add(transfer.transfer) }
        return transfer
    }

    private let answer: [ScriptStep] = [.forever([.waitForRequest, .respond(200, body: "abc")])]

    @Test("Bytes in memory go out with their length, and are told as they go")
    func bytes() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let listener = Listener()
        let body = CounterPattern.bytes(count: 300_000)
        _ = try await start(request(server, .bytes(BodyBytes(body))), listener, on: rig)
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .ok)
        let received = try #require(server.requests.first)
        #expect(received["Content-Length"] == "300000")
        #expect(received["Transfer-Encoding"] == nil)
        #expect(received["Content-Type"] == nil)
        #expect(received.body == body)
        #expect(listener.sent == listener.sent.sorted())
        #expect(listener.sent.last == 300_000)
        try await rig.end()
    }

    @Test("A slice of bytes sends itself and not what lies around it")
    func slice() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let listener = Listener()
        let slice = CounterPattern.bytes(count: 1_000)[100..<300]
        _ = try await start(request(server, .bytes(BodyBytes(slice))), listener, on: rig)
        try await listener.completed.opened()
        #expect(server.requests.first?.body == Array(slice))
        try await rig.end()
    }

    @Test("A source of unknown length goes out in chunks; their lines are not counted")
    func chunks() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let listener = Listener()
        let source = ScriptedSource(.bytes([1, 2, 3]), .bytes([4]), .end)
        let body = TransferBody.source(source, length: nil)
        _ = try await start(request(server, body), listener, on: rig)
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .ok)
        let received = try #require(server.requests.first)
        #expect(received["Transfer-Encoding"] == "chunked")
        #expect(received["Content-Length"] == nil)
        #expect(received.body == [1, 2, 3, 4])
        #expect(listener.sent == [3, 4])
        try await rig.end()
    }

    @Test("A source of known length goes out with it, and is not asked beyond it")
    func knownLength() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let listener = Listener()
        let source = ScriptedSource(.bytes([1, 2, 3]), .bytes([4]), .failed)
        let body = TransferBody.source(source, length: 4)
        _ = try await start(request(server, body), listener, on: rig)
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .ok)
        let received = try #require(server.requests.first)
        #expect(received["Content-Length"] == "4")
        #expect(received.body == [1, 2, 3, 4])
        #expect(listener.sent.last == 4)
        try await rig.end()
    }

    @Test("A source that has nothing yet is asked again when it says so", arguments: [nil, 8])
    func later(length: Int64?) async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let listener = Listener()
        let source = ScriptedSource()
        let transfer = try await start(
            request(server, .source(source, length: length)),
            listener,
            on: rig
        )
        for piece in 0..<4 as Range<UInt8> {
            while source.asked <= 2 * Int(piece) { try await rig.onLoop { _ in } }
            source.put([.bytes([piece, piece])])
            try await rig.onLoop { $0.resumeSending(transfer.transfer) }
        }
        if length == nil {
            while source.asked <= 8 { try await rig.onLoop { _ in } }
            source.put([.end])
            try await rig.onLoop { $0.resumeSending(transfer.transfer) }
        }
        try await listener.completed.opened()
        #expect(server.requests.first?.body == [0, 0, 1, 1, 2, 2, 3, 3])
        #expect(listener.sent.last == 8)
        try await rig.end()
    }

    @Test("A body that fails, or ends too early, never looks whole", arguments: [nil, 4])
    func failing(length: Int64?) async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let listener = Listener()
        let source = ScriptedSource(.bytes([1, 2, 3]), length == nil ? .failed : .end)
        _ = try await start(request(server, .source(source, length: length)), listener, on: rig)
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .abortedByCallback)
        try await server.closedByClient(connections: 1)
        #expect(server.requests.isEmpty)
        try await rig.end()
    }

    @Test("Receiving and sending pause and go on each by itself")
    func directions() async throws {
        let size = 200_000
        let server = try ScriptedServer([
            .waitForHead, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .sendPattern(size), .take(4),
        ])
        let rig = Rig()
        let listener = Listener()
        listener.answer = { $0.paused.isOpen ? .take : .pause }
        let source = ScriptedSource()
        let transfer = try await start(
            request(server, .source(source, length: 4)),
            listener,
            on: rig
        )
        try await listener.paused.opened()
        source.put([.bytes([1, 2])])
        // What comes first waits for its own side alone.
        let afterSending = try await rig.onLoop { multi in
            multi.resumeSending(transfer.transfer)
            return (listener.bytes.count, transfer.transfer.isPaused)
        }
        #expect(afterSending == (0, true))
        while source.asked < 3 { try await rig.onLoop { _ in } }
        try await rig.onLoop { $0.resume(transfer.transfer) }
        while try await rig.onLoop({ _ in listener.bytes.count }) < size {}
        #expect(!listener.completed.isOpen)
        source.put([.bytes([3, 4])])
        try await rig.onLoop { $0.resumeSending(transfer.transfer) }
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .ok)
        #expect(CounterPattern.firstDifference(in: listener.bytes) == nil)
        try await rig.end()
    }

    @Test("Bytes in memory are sent again where a kept connection has died, a source is not")
    func deadConnection() async throws {
        for isSource in [false, true] {
            let server = try ScriptedServer(
                [.waitForRequest, .respond(200), .waitForHead, .take(2), .finish],
                answer
            )
            let rig = Rig()
            let first = Listener()
            _ = try await start(TransferRequest(url: server.url().absoluteString), first, on: rig)
            try await first.completed.opened()
            let listener = Listener()
            let body: TransferBody =
                isSource
                ? .source(ScriptedSource(.bytes([1, 2]), .end), length: 2)
                : .bytes(BodyBytes([1, 2]))
            _ = try await start(request(server, body), listener, on: rig)
            try await listener.completed.opened()
            let code = listener.outcome?.code
            #expect(code == (isSource ? .sendFailedToRewind : .ok))
            #expect(server.requests.last?.body == (isSource ? [] : [1, 2]))
            try await rig.end()
        }
    }
}
