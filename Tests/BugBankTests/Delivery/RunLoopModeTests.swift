import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

// B106
@Suite("Bug bank: run-loop modes", .timeLimit(.minutes(1)))
struct RunLoopModeTests {
    private let answer: [ScriptStep] = [.waitForRequest, .respond(200, body: "abc")]
    private let whole: [TranscriptMessage] = [.response(200), .data(3), .finished]

    /// Runs the calling thread's run loop in a mode until the conversation is over.
    private static func run(_ mode: RunLoop.Mode, until delegate: RecordingDelegate) {
        while !delegate.hasEnded, RunLoop.current.run(mode: mode, before: .distantFuture) {}
    }

    @Test("Messages wait until the run loop runs in the mode that was asked for")
    func b106CustomMode() async throws {
        try await withBench { bench in
            let server = try bench.serve(answer)
            let delegate = RecordingDelegate()
            let (early, thread) = try await onThread {
                let mode = RunLoop.Mode("downloads")
                let connection = bench.connection(server.request(), delegate)
                connection.schedule(in: .current, forMode: mode)
                connection.start()
                try bench.turnLoopBlocking()
                _ = RunLoop.current.run(mode: .default, before: .distantPast)
                let early = delegate.transcript
                Self.run(mode, until: delegate)
                return (early, ThreadNumber.current)
            }
            #expect(early.isEmpty)
            #expect(delegate.transcript == whole)
            #expect(delegate.messages.allSatisfy { $0.thread == thread })
        }
    }

    @Test("Scheduled in the default mode, nothing is heard while another mode runs")
    func b106OtherMode() async throws {
        try await withBench { bench in
            let server = try bench.serve(answer)
            let delegate = RecordingDelegate()
            let early = try await onThread {
                let mode = RunLoop.Mode("tracking")
                let keepAlive = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
                RunLoop.current.add(keepAlive, forMode: mode)
                let connection = bench.connection(server.request(), delegate)
                connection.start()
                try bench.turnLoopBlocking()
                _ = RunLoop.current.run(mode: mode, before: .distantPast)
                let early = delegate.transcript
                Self.run(.default, until: delegate)
                return withExtendedLifetime(connection) { early }
            }
            #expect(early.isEmpty)
            #expect(delegate.transcript == whole)
        }
    }

    @Test("Scheduled in the common modes, messages come in the default mode")
    func b106CommonModes() async throws {
        try await withBench { bench in
            let server = try bench.serve(answer)
            let delegate = RecordingDelegate()
            try await onThread {
                let connection = bench.connection(server.request(), delegate)
                connection.schedule(in: .current, forMode: .common)
                connection.start()
                RunLoop.current.run()
            }
            #expect(delegate.transcript == whole)
        }
    }

    @Test("Scheduled in several modes, each message is heard once")
    func b106SeveralModes() async throws {
        try await withBench { bench in
            let more = Gate()
            let server = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"),
                .waitFor(more), .send("def"),
            ])
            let delegate = RecordingDelegate()
            try await onThread {
                let modes = (0..<3).map { RunLoop.Mode("mode \($0)") }
                let connection = bench.connection(server.request(), delegate)
                for mode in modes + modes { connection.schedule(in: .current, forMode: mode) }
                connection.start()
                while delegate.transcript != [.response(200), .data(3)] {
                    _ = RunLoop.current.run(mode: modes[0], before: .distantFuture)
                }
                more.open()
                Self.run(modes[2], until: delegate)
            }
            #expect(delegate.transcript == [.response(200), .data(6), .finished])
            #expect(delegate.faults.isEmpty)
        }
    }

    @Test("Unscheduled from one mode, messages come in the other one only")
    func b106Unscheduled() async throws {
        try await withBench { bench in
            let server = try bench.serve(answer)
            let delegate = RecordingDelegate()
            let (hasRun, early) = try await onThread {
                let (first, second) = (RunLoop.Mode("first"), RunLoop.Mode("second"))
                let connection = bench.connection(server.request(), delegate)
                connection.schedule(in: .current, forMode: first)
                connection.schedule(in: .current, forMode: second)
                connection.start()
                try bench.turnLoopBlocking()
                connection.unschedule(from: .current, forMode: first)
                let hasRun = RunLoop.current.run(mode: first, before: .distantFuture)
                let early = delegate.transcript
                Self.run(second, until: delegate)
                return (hasRun, early)
            }
            #expect(!hasRun)
            #expect(early.isEmpty)
            #expect(delegate.transcript == whole)
        }
    }

    @Test("Unscheduled inside a message, the next ones wait until it is scheduled again")
    func b106UnscheduledInside() async throws {
        try await withBench { bench in
            let server = try bench.serve(answer)
            let delegate = RecordingDelegate { message, connection in
                guard message == .response(200) else { return }
                connection.unschedule(from: .current, forMode: .default)
            }
            let early = try await onThread {
                let connection = bench.connection(server.request(), delegate)
                connection.schedule(in: .current, forMode: .default)
                connection.start()
                try bench.turnLoopBlocking()
                RunLoop.current.run()
                let early = delegate.transcript
                connection.schedule(in: .current, forMode: .default)
                RunLoop.current.run()
                return early
            }
            #expect(early == [.response(200)])
            #expect(delegate.transcript == whole)
        }
    }

    @Test("A connection that is scheduled nowhere after its start loses nothing")
    func b106ScheduledLate() async throws {
        try await withBench { bench in
            let server = try bench.serve(answer)
            let delegate = RecordingDelegate()
            try await onThread {
                let connection = bench.connection(server.request(), delegate)
                connection.start()
                connection.unschedule(from: .current, forMode: .default)
                try bench.turnLoopBlocking()
                connection.schedule(in: .current, forMode: .default)
                RunLoop.current.run()
            }
            #expect(delegate.transcript == whole)
        }
    }
}
