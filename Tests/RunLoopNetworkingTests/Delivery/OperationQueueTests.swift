import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Delivery on an operation queue", .timeLimit(.minutes(1)))
struct OperationQueueTests {
    private let whole: [TranscriptMessage] = [.response(200), .data(3), .finished]
    private let answer: [ScriptStep] = [.waitForRequest, .respond(200, body: "abc")]

    @Test(
        "Messages come in order and one at a time, whatever the width of the queue",
        arguments: [1, 8]
    )
    func order(width: Int) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n"),
            .sendPattern(4_000_000),
        ])
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = width
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queue)
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(4_000_000), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        #expect(delegate.faults.isEmpty)
        #expect(delegate.messages.allSatisfy { $0.operationQueue === queue })
    }

    @Test("A suspended queue holds up its own connection only, and loses nothing")
    func suspended() async throws {
        let server = try ScriptedServer(answer)
        let queue = OperationQueue()
        queue.isSuspended = true
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queue)
        connection.start()
        try await server.received(requests: 1)
        let otherServer = try ScriptedServer(answer)
        let other = try await load(otherServer.request())
        #expect(other.transcript == whole)
        #expect(delegate.transcript.isEmpty)
        queue.isSuspended = false
        try await delegate.ended()
        #expect(delegate.transcript == whole)
    }

    @Test("Cancelling all operations of the queue loses no message")
    func cancelAllOperations() async throws {
        let server = try ScriptedServer(answer)
        let queue = OperationQueue()
        queue.isSuspended = true
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queue)
        connection.start()
        try await server.received(requests: 1)
        try await onThread { try turnLoopByLoading() }
        #expect(queue.operationCount == 1)
        queue.cancelAllOperations()
        queue.isSuspended = false
        try await delegate.ended()
        #expect(delegate.transcript == whole)
    }

    @Test("A queue that is set after an immediate start gets the messages that were not yet told")
    func setAfterStart() async throws {
        let server = try ScriptedServer(answer)
        let queue = OperationQueue()
        let delegate = RecordingDelegate()
        let hasEnded = try await onThread {
            let connection = NSURLConnection(request: server.request(), delegate: delegate)
            try turnLoopByLoading()
            connection?.setDelegateQueue(queue)
            connection?.start()
            // The run loop is kept running until the last message.
            RunLoop.current.run()
            return delegate.hasEnded
        }
        #expect(hasEnded)
        #expect(delegate.transcript == whole)
        #expect(delegate.messages.allSatisfy { $0.operationQueue === queue })
    }

    @Test("A queue that is set inside a message gets all messages that follow")
    func setInside() async throws {
        let server = try ScriptedServer(answer)
        let queue = OperationQueue()
        let delegate = RecordingDelegate { message, connection in
            if message == .response(200) { connection.setDelegateQueue(queue) }
        }
        let thread = try await onThread {
            let connection = NSURLConnection(request: server.request(), delegate: delegate)
            RunLoop.current.run()
            return withExtendedLifetime(connection) { ThreadNumber.current }
        }
        let messages = delegate.messages
        #expect(delegate.transcript == whole)
        #expect(messages.first?.thread == thread)
        #expect(messages.dropFirst().allSatisfy { $0.operationQueue === queue })
        #expect(delegate.faults.isEmpty)
    }

    @Test(
        "Of a queue and a run loop, the one that was chosen last counts",
        arguments: [false, true]
    )
    func lastWins(queueIsLast: Bool) async throws {
        let server = try ScriptedServer(answer)
        let queue = OperationQueue()
        let delegate = RecordingDelegate()
        let thread = try await onThread {
            let connection = makeConnection(server.request(), delegate)
            if queueIsLast {
                connection.schedule(in: .current, forMode: .default)
                connection.setDelegateQueue(queue)
            } else {
                connection.setDelegateQueue(queue)
                connection.schedule(in: .current, forMode: .default)
            }
            connection.start()
            RunLoop.current.run()
            return ThreadNumber.current
        }
        #expect(delegate.transcript == whole)
        let isOnThread = delegate.messages.map { $0.thread == thread }
        let isOnQueue = delegate.messages.map { $0.operationQueue === queue }
        #expect(isOnThread.allSatisfy { $0 == !queueIsLast })
        #expect(isOnQueue.allSatisfy { $0 == queueIsLast })
    }

    @Test(
        "Setting no queue takes the choice back, before and after the start",
        arguments: [false, true]
    )
    func noQueue(isStarted: Bool) async throws {
        let server = try ScriptedServer(answer)
        let queue = OperationQueue()
        queue.isSuspended = true
        let delegate = RecordingDelegate()
        let thread = try await onThread {
            let connection = makeConnection(server.request(), delegate)
            connection.setDelegateQueue(queue)
            if isStarted {
                connection.start()
                try turnLoopByLoading()
            }
            connection.setDelegateQueue(nil as OperationQueue?)
            connection.start()
            RunLoop.current.run()
            return ThreadNumber.current
        }
        #expect(delegate.transcript == whole)
        #expect(delegate.messages.allSatisfy { $0.thread == thread })
    }
}
