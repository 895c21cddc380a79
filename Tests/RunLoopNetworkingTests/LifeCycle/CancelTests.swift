import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Cancel", .timeLimit(.minutes(1)))
struct CancelTests {
    @Test(
        "A cancel inside the last message, and after it, does nothing",
        arguments: [
            [.respond(200, body: "abc")],
            [.finish],
        ] as [[ScriptStep]]
    )
    func insideTerminal(answer: [ScriptStep]) async throws {
        let server = try ScriptedServer([.waitForRequest] + answer)
        let delegate = RecordingDelegate { message, connection in
            if message.isTerminal { connection.cancel() }
        }
        let connection = makeConnection(server.request(), delegate)
        let queue = OperationQueue()
        connection.setDelegateQueue(queue)
        connection.start()
        try await delegate.ended()
        connection.cancel()
        try await waitForQueue(queue)
        #expect(delegate.transcript.last?.isTerminal == true)
        #expect(delegate.faults.isEmpty)
    }

    @Test("Messages that were on their way are not heard after a cancel on the delivery context")
    func queuedMessages() async throws {
        let sent = Gate()
        let isWaiting = Gate()
        let responded = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"),
            .waitFor(responded), .send("abc"), .open(sent),
        ])
        let delegate = RecordingDelegate { _, connection in
            responded.open()
            try? isWaiting.wait()
            connection.cancel()
        }
        let queue = makeBlockingQueue()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queue)
        connection.start()
        try await sent.opened()
        try await onThread { try turnLoopByLoading() }
        isWaiting.open()
        try await waitForQueue(queue)
        try await waitForQueue(queue)
        #expect(delegate.transcript == [.response(200)])
    }

    @Test("Cancelled from another thread, only the message that is being told is heard")
    func otherThread() async throws {
        let entered = Gate()
        let cancelled = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .respond(200, body: "abc"), .hold,
        ])
        let delegate = RecordingDelegate { _, _ in
            entered.open()
            try? cancelled.wait()
        }
        let queue = makeBlockingQueue()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queue)
        connection.start()
        try await entered.opened()
        connection.cancel()
        cancelled.open()
        try await waitForQueue(queue)
        try await waitForQueue(queue)
        #expect(delegate.transcript == [.response(200)])
    }

    @Test("Started and cancelled by two threads at once, a connection ends, and no one is kept")
    func race() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "abc")])])
        for _ in 0..<200 {
            let freed = Gate()
            try await startAndCancel(server, Probe(freed))
            try await freed.opened()
        }
    }

    private func startAndCancel(_ server: ScriptedServer, _ probe: Probe) async throws {
        let delegate = RecordingDelegate { _, _ in withExtendedLifetime(probe) {} }
        let connection = makeConnection(server.request(), delegate)
        async let started: Void = onThread {
            connection.start()
            RunLoop.current.run()
        }
        async let cancelled: Void = onThread { connection.cancel() }
        try await started
        try await cancelled
        #expect(delegate.faults.isEmpty)
    }
}
