import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Idle time-out", .timeLimit(.minutes(1)))
struct IdleTimeOutTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"

    @Test(
        "A server that falls silent is given up, wherever it stops",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", []),
            (Self.head, [.response(200)]),
            (Self.head + "12345", [.response(200), .data(5)]),
        ] as [(String, [TranscriptMessage])]
    )
    func fallsSilent(sent: String, heard: [TranscriptMessage]) async throws {
        let reached = Gate()
        let server = try ScriptedServer([.waitForRequest, .send(sent), .open(reached), .hold])
        let manual = ManualLoop()
        let loop = TestLoop(manual)
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(timeout: 1_000), delegate, loop: loop.loop)
        connection.setDelivery(.onLoop)
        connection.start()
        try await reached.opened()
        try await onThread { try turnLoopByLoading(loop.loop) }
        manual.advance(by: .seconds(900))
        try await onThread { try turnLoopByLoading(loop.loop) }
        #expect(delegate.transcript == heard)
        manual.advance(by: .seconds(100))
        try await delegate.ended()
        #expect(delegate.transcript == heard + [.failed(.timedOut)])
        #expect(delegate.faults.isEmpty)
    }

    @Test("A delegate that is slow is not the network's fault")
    func slowDelegate() async throws {
        let size = 12 << 20
        let stalled = Gate()
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .sendPattern(size, stalled: stalled),
        ])
        let manual = ManualLoop()
        let loop = TestLoop(manual)
        let delegate = RecordingDelegate(keepsBody: false) { message, _ in
            if message == .response(200) { try? goOn.wait() }
        }
        let connection = makeConnection(server.request(timeout: 1_000), delegate, loop: loop.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await stalled.opened()
        manual.advance(by: .seconds(100_000))
        try await onThread { try turnLoopByLoading(loop.loop) }
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(size), .finished])
    }

    @Test("Waiting for a place among the network connections is not idle time")
    func waitingForPlace() async throws {
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .waitFor(goOn), .respond(200, body: "abc"),
            .waitForRequest, .respond(200, body: "defg"),
        ])
        let manual = ManualLoop()
        let loop = TestLoop(manual)
        loop.loop.connectionSettings.connectionsPerHost = 1
        let delegates = [RecordingDelegate(), RecordingDelegate()]
        for (delegate, timeout) in zip(delegates, [0.0, 1_000]) {
            let request = server.request(timeout: timeout)
            let connection = makeConnection(request, delegate, loop: loop.loop)
            connection.setDelivery(.onLoop)
            connection.start()
            // The first one is to have the place: it may be asked what to send, and the second one not.
            try await server.received(requests: 1)
        }
        try await onThread { try turnLoopByLoading(loop.loop) }
        manual.advance(by: .seconds(100_000))
        try await onThread { try turnLoopByLoading(loop.loop) }
        goOn.open()
        for delegate in delegates { try await delegate.ended() }
        #expect(delegates[0].transcript == [.response(200), .data(3), .finished])
        #expect(delegates[1].transcript == [.response(200), .data(4), .finished])
        #expect(server.connectionCount == 1)
    }

    @Test("Waiting for a place after a redirect is not idle time either")
    func waitingAfterRedirect() async throws {
        let goOn = Gate()
        let target = try ScriptedServer([
            .waitForRequest, .waitFor(goOn), .respond(200, body: "abc"),
            .waitForRequest, .respond(200, body: "defg"),
        ])
        let origin = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: \(target.url("/next"))"]),
        ])
        let manual = ManualLoop()
        let loop = TestLoop(manual)
        loop.loop.connectionSettings.connectionsPerHost = 1
        let first = RecordingDelegate()
        let holder = makeConnection(target.request(timeout: 0), first, loop: loop.loop)
        holder.setDelivery(.onLoop)
        holder.start()
        try await target.received(requests: 1)
        let delegate = RecordingDelegate()
        let connection = makeConnection(origin.request(timeout: 1_000), delegate, loop: loop.loop)
        connection.setDelivery(.onLoop)
        connection.start()
        try await origin.received(requests: 1)
        try await onThread {
            try turnLoopByLoading(loop.loop)
            try turnLoopByLoading(loop.loop)
        }
        #expect(connection.currentRequest.url == target.url("/next"))
        manual.advance(by: .seconds(100_000))
        try await onThread { try turnLoopByLoading(loop.loop) }
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(4), .finished])
    }

    @Test("An interval that is not positive means no time-out", arguments: [0, -1.0])
    func noTimeOut(interval: Double) async throws {
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .waitFor(goOn), .respond(200, body: "abc"),
        ])
        let manual = ManualLoop()
        let loop = TestLoop(manual)
        let delegate = RecordingDelegate()
        let request = server.request(timeout: interval)
        let connection = makeConnection(request, delegate, loop: loop.loop)
        connection.setDelivery(.onLoop)
        connection.start()
        try await server.received(requests: 1)
        manual.advance(by: .seconds(1_000_000))
        try await onThread { try turnLoopByLoading(loop.loop) }
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
    }
}
