import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Back-pressure", .timeLimit(.minutes(1)))
struct BackPressureTests {
    /// What the kernel's buffers of both sides and the connection's mailbox may hold together.
    private static let bound = 9 << 20
    private static let size = 12 << 20

    // B109, B110, B149
    @Test("A delegate that blocks holds the server back, and nobody else")
    func blockingDelegate() async throws {
        let stalled = Gate()
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n"),
            .sendPattern(Self.size, stalled: stalled), .hold,
        ])
        let delegate = RecordingDelegate { message, _ in
            if message == .response(200) { try? goOn.wait() }
        }
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await stalled.opened()
        let small = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "abc")])])
        for _ in 0..<10 {
            let other = try await load(small.request())
            #expect(other.transcript == [.response(200), .data(3), .finished])
        }
        #expect(server.sentBytes() < Self.bound)
        #expect(delegate.transcript == [.response(200)])
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(Self.size), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
    }

    @Test(
        "A paused load of which the kernel has all bytes goes on by itself",
        arguments: [false, true]
    )
    func everythingIsThere(closes: Bool) async throws {
        let sent = Gate()
        let responded = Gate()
        let goOn = Gate()
        let size = 300_000
        let end: [ScriptStep] = closes ? [.finish] : [.hold]
        let server = try ScriptedServer(
            [
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
                .waitFor(responded), .sendPattern(size), .open(sent),
            ] + end
        )
        let loop = TestLoop()
        loop.loop.connectionSettings.waitingBytes = 50_000
        let delegate = RecordingDelegate { message, _ in
            responded.open()
            if message == .response(200) { try? goOn.wait() }
        }
        let connection = makeConnection(server.request(), delegate, loop: loop.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await sent.opened()
        try await onThread { try turnLoopByLoading(loop.loop) }
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(size), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
    }

    @Test("With room for one byte, every byte comes in order all the same")
    func leastRoom() async throws {
        let size = 1_000_000
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .sendPattern(size),
        ])
        let loop = TestLoop()
        loop.loop.connectionSettings.waitingBytes = 1
        let delegate = try await load(server.request(), loop: loop.loop)
        #expect(delegate.transcript == [.response(200), .data(size), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
    }

    // B097
    @Test("A paused load may be cancelled, and its socket is closed")
    func cancelPaused() async throws {
        let stalled = Gate()
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"),
            .sendPattern(1_000_000_000, stalled: stalled),
        ])
        let queue = makeBlockingQueue()
        let delegate = RecordingDelegate { _, _ in try? goOn.wait() }
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queue)
        connection.start()
        try await stalled.opened()
        connection.cancel()
        try await server.closedByClient(connections: 1)
        goOn.open()
        try await waitForQueue(queue)
        #expect(delegate.transcript == [.response(200)])
    }
}
