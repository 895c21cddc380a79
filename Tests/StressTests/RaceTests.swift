import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking
import SampleServing
import Testing

@Suite("Life cycle under races", .timeLimit(.minutes(10)))
struct RaceTests {
    /// A thread that is still on its way out holds what it was given.
    private static func threadsAreGone() async throws {
        let start = ContinuousClock.now
        while try OwnThreads.count(named: "racer") > 0 {
            try #require(ContinuousClock.now - start < .seconds(20))
            await Task.yield()
        }
    }

    @Test("20,000 connections, started and cancelled at any moment by any thread, leave nothing")
    func anyMoment() async throws {
        let sockets = Sockets.count
        let server = try SampleServer()
        let loop = EventLoop(name: "races")
        loop.connectionSettings = Self.settings
        loop.start()
        let crowd = Crowd(base: server.start(), loop: loop)
        try await Self.onThreads(8) { number in
            var generator = SeededGenerator(seed: UInt64(number))
            for _ in 0..<2500 { crowd.add(Plan(using: &generator), using: &generator) }
        }
        crowd.cancelRest()
        for member in crowd.members { try await Self.check(member) }
        loop.shutDown()
        server.stop()
        try await Self.threadsAreGone()
        #expect(crowd.members.count == 20_000)
        #expect(try OwnThreads.count(named: "races") == 0)
        try await Self.become(sockets) { Sockets.count }
    }

    @Test("A loop that is stopped and started again and again under load loses no message")
    func stopsAndStarts() async throws {
        let server = try SampleServer()
        let loop = EventLoop(name: "stops")
        loop.connectionSettings = Self.settings
        loop.start()
        let crowd = Crowd(base: server.start(), loop: loop)
        let isLoaded = Gate()
        async let stops: Void = Self.onThreads(1) { _ in
            while !isLoaded.isOpen {
                loop.stop()
                loop.start()
            }
        }
        try await Self.onThreads(2) { number in
            var generator = SeededGenerator(seed: UInt64(100 + number))
            for _ in 0..<500 { crowd.add(Plan(using: &generator), using: &generator) }
        }
        crowd.cancelRest()
        for member in crowd.members { try await Self.check(member) }
        isLoaded.open()
        try await stops
        loop.shutDown()
        server.stop()
        try await Self.threadsAreGone()
    }

    @Test("A loop that is shut down under load tells each connection its end, once")
    func shutDowns() async throws {
        let server = try SampleServer()
        let base = server.start()
        for round in 0..<20 {
            let loop = EventLoop(name: "ends")
            loop.connectionSettings = Self.settings
            loop.start()
            let crowd = Crowd(base: base, loop: loop)
            async let adding: Void = Self.onThreads(2) { number in
                var generator = SeededGenerator(seed: UInt64(1000 + 2 * round + number))
                for _ in 0..<100 { crowd.add(Plan(using: &generator), using: &generator) }
            }
            async let ending: Void = Self.onThreads(1) { _ in loop.shutDown() }
            try await adding
            try await ending
            crowd.cancelRest()
            for member in crowd.members { try await Self.check(member) }
            #expect(try OwnThreads.count(named: "ends") == 0)
            try await Self.threadsAreGone()
        }
        server.stop()
    }

    // MARK: - What holds for each

    private static var settings: ConnectionSettings {
        var settings = ConnectionSettings()
        settings.connectionsPerHost = 32
        return settings
    }

    /// Its transcript is legal, and it ends unless it was cancelled.
    private static func check(_ member: Crowd.Member) async throws {
        let transcript = member.delegate.transcript
        switch member.plan.cancel {
        case .never:
            try await member.delegate.ended()
        case .beforeStart:
            #expect(transcript.isEmpty)
        case .insideMessage(let last):
            #expect(member.delegate.messages.count <= last)
        case .afterStart, .later:
            break
        }
        #expect(member.delegate.faults.isEmpty, "\(member.plan): \(member.delegate.faults)")
    }

    /// Runs `body` on some threads at once and returns when all have ended.
    private static func onThreads(
        _ count: Int,
        _ body: @escaping @Sendable (Int) -> Void
    ) async throws {
        let gates = (0..<count).map { _ in Gate() }
        for (number, gate) in gates.enumerated() {
            let thread = Thread {
                body(number)
                gate.open()
            }
            thread.name = "racer"
            thread.start()
        }
        for gate in gates { try await gate.opened(limit: .seconds(300)) }
    }

    /// Waits until a figure is what it was: servers notice late that a client has gone.
    private static func become(_ figure: Int, _ now: @Sendable () -> Int) async throws {
        let start = ContinuousClock.now
        while now() > figure, ContinuousClock.now - start < .seconds(20) { await Task.yield() }
        #expect(now() <= figure)
    }
}
