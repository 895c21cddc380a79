import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Loops that stop and shut down", .timeLimit(.minutes(1)))
struct ShutDownTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"

    @Test(
        "When a loop is shut down, every unfinished connection fails once",
        arguments: [false, true]
    )
    func unfinished(isOnLoop: Bool) async throws {
        let silent = try ScriptedServer([.waitForRequest, .hold])
        let half = try ScriptedServer([.waitForRequest, .send(Self.head + "12345"), .hold])
        let loop = TestLoop()
        loop.loop.connectionSettings.connectionsPerHost = 1
        let queue = OperationQueue()
        // The second one of the silent server waits for a place.
        let delegates = (0..<3).map { _ in RecordingDelegate() }
        for (delegate, server) in zip(delegates, [silent, silent, half]) {
            let connection = makeConnection(server.request(), delegate, loop: loop.loop)
            connection.setDelivery(isOnLoop ? .onLoop : .operationQueue(queue))
            connection.start()
        }
        try await silent.received(requests: 1)
        try await delegates[2].heard { $0 == .data(5) }
        loop.loop.shutDown()
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.faults.isEmpty)
        }
        #expect(delegates[0].transcript == [.failed(.cancelled)])
        #expect(delegates[1].transcript == [.failed(.cancelled)])
        #expect(delegates[2].transcript == [.response(200), .data(5), .failed(.cancelled)])
        try await silent.closedByClient(connections: 1)
        try await half.closedByClient(connections: 1)
    }

    @Test("A connection on a loop that was shut down fails once", arguments: [false, true])
    func afterwards(isOnLoop: Bool) async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        let loop = TestLoop()
        loop.loop.shutDown()
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate, loop: loop.loop)
        connection.setDelivery(isOnLoop ? .onLoop : .operationQueue(OperationQueue()))
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.failed(.cancelled)])
        #expect(delegate.urlError?.failingURL == server.url())
        #expect(server.connectionCount == 0)
    }

    @Test("A connection that is started inside the failure of a shut-down fails as well")
    func startInside() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold])
        let loop = TestLoop()
        let second = RecordingDelegate()
        let third = RecordingDelegate()
        let first = RecordingDelegate { _, connection in
            for delegate in [second, third] {
                let next = makeConnection(server.request(), delegate, loop: connection.loop)
                next.setDelivery(.onLoop)
                next.start()
            }
        }
        let connection = makeConnection(server.request(), first, loop: loop.loop)
        connection.setDelivery(.onLoop)
        connection.start()
        try await server.received(requests: 1)
        loop.loop.shutDown()
        for delegate in [first, second, third] {
            try await delegate.ended()
            #expect(delegate.transcript == [.failed(.cancelled)])
        }
    }

    @Test("A connection that was cancelled hears nothing of the shut-down")
    func cancelled() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold])
        let loop = TestLoop()
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate, loop: loop.loop)
        connection.setDelivery(.onLoop)
        connection.start()
        try await server.received(requests: 1)
        connection.cancel()
        loop.loop.shutDown()
        #expect(delegate.transcript.isEmpty)
    }

    @Test("A connection on a loop that has not begun waits for the start")
    func notBegun() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let loop = TestLoop(isStarted: false)
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate, loop: loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await onThread { try turnLoopByLoading() }
        #expect(server.connectionCount == 0)
        loop.loop.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
    }

    @Test("A connection on a loop that is stopped goes on when the loop does")
    func stopped() async throws {
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send(Self.head + "12345"), .waitFor(goOn), .send("67890"),
        ])
        let loop = TestLoop()
        let isStopped = Gate()
        let delegate = RecordingDelegate { message, connection in
            guard message == .data(5), !isStopped.isOpen else { return }
            connection.loop.stop()
            isStopped.open()
        }
        let connection = makeConnection(server.request(), delegate, loop: loop.loop)
        connection.setDelivery(.onLoop)
        connection.start()
        try await isStopped.opened()
        goOn.open()
        // On another thread, for a change: it turns the loop until the load has ended.
        try await onThread {
            loop.loop.perform { Self.stop(loop.loop, after: delegate) }
            loop.loop.run()
        }
        #expect(delegate.transcript == [.response(200), .data(10), .finished])
    }

    /// Stops the loop when the conversation is over.
    private static func stop(_ loop: EventLoop, after delegate: RecordingDelegate) {
        if delegate.hasEnded {
            loop.stop()
        } else {
            loop.perform { stop(loop, after: delegate) }
        }
    }
}
