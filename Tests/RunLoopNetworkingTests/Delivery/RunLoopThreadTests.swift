import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Run loops and threads", .timeLimit(.minutes(1)))
struct RunLoopThreadTests {
    private let answer: [ScriptStep] = [.waitForRequest, .respond(200, body: "abc")]
    private let whole: [TranscriptMessage] = [.response(200), .data(3), .finished]

    @Test("A connection may be scheduled on another thread's run loop, which sleeps")
    func foreignRunLoop() async throws {
        let server = try ScriptedServer([.forever(answer)])
        let other = try RunningThread()
        for _ in 0..<20 {
            let delegate = RecordingDelegate()
            let connection = makeConnection(server.request(), delegate)
            connection.schedule(in: other.runLoop, forMode: .default)
            connection.start()
            try await delegate.ended()
            #expect(delegate.transcript == whole)
            #expect(delegate.messages.allSatisfy { $0.thread == other.thread })
        }
        try await other.stop()
    }

    @Test("Scheduled on several threads' run loops, each message is heard once")
    func severalThreads() async throws {
        let others = try [RunningThread(), RunningThread(), RunningThread()]
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n"),
            .sendPattern(3_000_000),
        ])
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        for other in others { connection.schedule(in: other.runLoop, forMode: .default) }
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(3_000_000), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        #expect(delegate.faults.isEmpty)
        for other in others { try await other.stop() }
    }

    @Test("A pass of a sleeping run loop ends when a message was told")
    func passesEnd() async throws {
        let more = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"),
            .waitFor(more), .pause(.milliseconds(30)), .send("a"), .pause(.milliseconds(30)),
            .send("b"),
        ])
        let delegate = RecordingDelegate()
        try await onThread {
            let connection = NSURLConnection(request: server.request(), delegate: delegate)
            // Nothing but a message can end these passes.
            while delegate.messages.isEmpty {
                _ = RunLoop.current.run(mode: .default, before: .distantFuture)
            }
            more.open()
            while !delegate.hasEnded {
                _ = RunLoop.current.run(mode: .default, before: .distantFuture)
            }
            withExtendedLifetime(connection) {}
        }
        #expect(delegate.transcript == [.response(200), .data(2), .finished])
    }

    @Test(
        "RunLoop.run() returns when the last connection has finished or failed",
        arguments: [ScriptStep.respond(200, body: "abc"), .finish]
    )
    func runReturns(last: ScriptStep) async throws {
        // No load ends before all have begun: none goes over the network connection of another.
        let haveBegun = Gate()
        let good: [ScriptStep] = [.waitForRequest, .waitFor(haveBegun), .respond(200, body: "abc")]
        let server = try ScriptedServer(good, good, [.waitForRequest, .waitFor(haveBegun), last])
        let delegates = (0..<3).map { _ in RecordingDelegate() }
        async let allHaveEnded = onThread {
            let connections = delegates.map {
                NSURLConnection(request: server.request(), delegate: $0)
            }
            RunLoop.current.run()
            return withExtendedLifetime(connections) { delegates.allSatisfy(\.hasEnded) }
        }
        try await server.received(requests: 3)
        haveBegun.open()
        #expect(try await allHaveEnded)
    }

    @Test("RunLoop.run() returns when another thread cancels the last connection")
    func runReturnsAfterCancel() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold])
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        async let run: Void = onThread {
            connection.start()
            RunLoop.current.run()
        }
        try await server.received(requests: 1)
        connection.cancel()
        try await run
        #expect(delegate.transcript.isEmpty)
    }

    @Test("RunLoop.run() returns when a message cancels the last connection")
    func runReturnsAfterCancelInside() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .hold,
        ])
        let delegate = RecordingDelegate { _, connection in connection.cancel() }
        try await onThread {
            let connection = NSURLConnection(request: server.request(), delegate: delegate)
            RunLoop.current.run()
            withExtendedLifetime(connection) {}
        }
        #expect(delegate.transcript == [.response(200)])
    }

    @Test("The next connection may be started inside the last message, and is waited for")
    func startInside() async throws {
        let server = try ScriptedServer([.forever(answer)])
        let second = RecordingDelegate()
        let first = RecordingDelegate { message, _ in
            guard message == .finished else { return }
            _ = NSURLConnection(request: server.request(), delegate: second)
        }
        try await onThread {
            _ = NSURLConnection(request: server.request(), delegate: first)
            RunLoop.current.run()
        }
        #expect(first.transcript == whole)
        #expect(second.transcript == whole)
    }
}
