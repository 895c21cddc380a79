import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Start", .timeLimit(.minutes(1)))
struct StartTests {
    private let answer: [ScriptStep] = [.forever([.waitForRequest, .respond(200, body: "abc")])]
    private let whole: [TranscriptMessage] = [.response(200), .data(3), .finished]

    @Test("A connection that is started twice loads once")
    func twice() async throws {
        let server = try ScriptedServer(answer)
        let delegate = RecordingDelegate { _, connection in connection.start() }
        let connection = makeConnection(server.request(), delegate)
        let queue = OperationQueue()
        connection.setDelegateQueue(queue)
        connection.start()
        connection.start()
        try await delegate.ended()
        connection.start()
        try await load(server.request("/next"))
        try await waitForQueue(queue)
        #expect(delegate.transcript == whole)
        #expect(delegate.faults.isEmpty)
        #expect(server.requests.map(\.target) == ["/", "/next"])
    }

    @Test("A connection that was cancelled does not start")
    func afterCancel() async throws {
        let server = try ScriptedServer(answer)
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelivery(.onLoop)
        connection.cancel()
        connection.cancel()
        connection.start()
        try await load(server.request("/next"))
        #expect(delegate.transcript.isEmpty)
        #expect(server.requests.map(\.target) == ["/next"])
    }

    @Test("A connection that is not started at once is scheduled nowhere")
    func notScheduled() async throws {
        let server = try ScriptedServer(answer)
        let (transcript, hasRun) = try await onThread {
            let delegate = RecordingDelegate()
            let connection = NSURLConnection(
                request: server.request(),
                delegate: delegate,
                startImmediately: false
            )
            // A run loop without a source returns at once, and says so.
            let hasRun = RunLoop.current.run(mode: .default, before: .distantFuture)
            return withExtendedLifetime(connection) { (delegate.transcript, hasRun) }
        }
        #expect(!hasRun)
        #expect(transcript.isEmpty)
        #expect(server.connectionCount == 0)
    }

    @Test("Starting schedules on the current run loop unless the owner has chosen")
    func autoScheduling() async throws {
        let server = try ScriptedServer(answer)
        let delegate = RecordingDelegate()
        let thread = try await onThread {
            let connection = makeConnection(server.request(), delegate)
            connection.start()
            RunLoop.current.run()
            return ThreadNumber.current
        }
        #expect(delegate.transcript == whole)
        #expect(delegate.messages.allSatisfy { $0.thread == thread })
    }

    @Test("A connection that is started at once is scheduled on the current run loop")
    func immediately() async throws {
        let server = try ScriptedServer(answer)
        let delegate = RecordingDelegate()
        let thread = try await onThread {
            _ = NSURLConnection(request: server.request(), delegate: delegate)
            RunLoop.current.run()
            return ThreadNumber.current
        }
        #expect(delegate.transcript == whole)
        #expect(delegate.messages.allSatisfy { $0.thread == thread })
    }

    // B104
    @Test("A connection with a queue needs no run loop, and its thread may end")
    func threadEnds() async throws {
        let server = try ScriptedServer(answer)
        let delegate = RecordingDelegate()
        try await onThread {
            let connection = makeConnection(server.request(), delegate)
            connection.setDelegateQueue(OperationQueue())
            connection.start()
        }
        try await delegate.ended()
        #expect(delegate.transcript == whole)
    }

    // B151
    @Test("In each message the next connection may be started, on the loop itself")
    func chain() async throws {
        let server = try ScriptedServer(answer)
        let last = Gate()
        let loop = TestLoop()
        startNext(200, of: server, on: loop.loop, last: last)
        try await last.opened()
        #expect(server.requests.count == 200)
        #expect(server.connectionCount == 1)
    }

    private func startNext(_ count: Int, of server: ScriptedServer, on loop: EventLoop, last: Gate)
    {
        let delegate = RecordingDelegate { message, _ in
            guard message == .finished else { return }
            if count > 1 {
                startNext(count - 1, of: server, on: loop, last: last)
            } else {
                last.open()
            }
        }
        let connection = makeConnection(server.request("/\(count)"), delegate, loop: loop)
        connection.setDelivery(.onLoop)
        connection.start()
    }
}
