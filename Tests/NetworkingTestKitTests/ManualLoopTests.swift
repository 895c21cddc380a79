import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Synchronization
import Testing

@Suite("A loop turned by hand", .timeLimit(.minutes(1)))
struct ManualLoopTests {
    private struct Refusal: Error {}

    private let manual = ManualLoop()

    private func connection(
        to server: ScriptedServer,
        timeout: Double = 1_000,
        _ delegate: RecordingDelegate
    ) throws -> NSURLConnection {
        let made = NSURLConnection(
            request: server.request(timeout: timeout),
            delegate: delegate,
            startImmediately: false,
            loop: manual.loop
        )
        let connection = try #require(made)
        connection.setDelivery(.onLoop)
        return connection
    }

    // MARK: - Turned by hand

    @Test("Time stands still until it is moved, and then timers fire in their order")
    func time() {
        let fired = Mutex<[Int]>([])
        let start = manual.now
        for seconds in [3, 1, 2] {
            manual.loop.perform(after: .seconds(seconds)) { fired.withLock { $0.append(seconds) } }
        }
        manual.turn()
        manual.turn()
        #expect(manual.now == start)
        #expect(fired.withLock(\.self) == [])
        manual.turn(after: .seconds(2))
        #expect(fired.withLock(\.self) == [1, 2])
        manual.advance(by: .seconds(1))
        #expect(fired.withLock(\.self) == [1, 2])
        manual.turn()
        #expect(fired.withLock(\.self) == [1, 2, 3])
        #expect(manual.now == start + .seconds(3))
    }

    @Test("A job of a turn runs on the loop, and what it returns or throws comes back")
    func job() {
        #expect(manual.turn { manual.loop.isCurrent })
        #expect(!manual.loop.isCurrent)
        #expect(throws: Refusal.self) { try manual.turn { throw Refusal() } }
        #expect(manual.turn { 2 } == 2)
    }

    @Test("A whole load takes place on the calling thread")
    func load() throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let delegate = RecordingDelegate()
        try connection(to: server, delegate).start()
        try manual.turnUntil { delegate.hasEnded }
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(delegate.messages.allSatisfy { $0.thread == .current && $0.isOnLoop })
    }

    @Test("A connection's idle time-out of a quarter of an hour takes no time")
    func idleTimeOut() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(head), .hold])
        let delegate = RecordingDelegate()
        try connection(to: server, timeout: 900, delegate).start()
        try manual.turnUntil { !delegate.messages.isEmpty }
        manual.turn(after: .seconds(899))
        #expect(delegate.transcript == [.response(200)])
        manual.turn(after: .seconds(1))
        #expect(delegate.transcript == [.response(200), .failed(.timedOut)])
    }

    @Test("What never becomes right is given up, and the loop can be turned on")
    func limit() throws {
        #expect(throws: WaitError.self) {
            try manual.turnUntil(limit: .milliseconds(20)) { false }
        }
        #expect(manual.turn { 2 } == 2)
    }

    @Test("A stop from inside a callback does not end the turning")
    func stopInside() throws {
        let done = Mutex(false)
        manual.loop.perform { [loop = manual.loop] in
            loop.stop()
            loop.perform { done.withLock { $0 = true } }
        }
        try manual.turnUntil { done.withLock(\.self) }
    }

    @Test("What is right already needs no turn")
    func rightAlready() throws {
        let manual = manual
        try manual.turn {
            // Turning inside a turn would stop the program.
            try manual.turnUntil { true }
        }
    }

    @Test("Time that goes back, and a turn inside a turn, stop the program")
    func misuse() async {
        await #expect(processExitsWith: .failure) { ManualLoop().advance(by: .seconds(-1)) }
        await #expect(processExitsWith: .failure) {
            let manual = ManualLoop()
            manual.turn { manual.turn() }
        }
    }

    // MARK: - Started

    @Test("A loop that was started sleeps until its clock is moved, and then fires what is due")
    func started() async throws {
        let loop = manual.loop
        let sleeps = Gate()
        let fired = Gate()
        let phases = Mutex<[LoopPhase]>([])
        loop.perform(after: .seconds(3_600)) { fired.open() }
        let observation = manual.turn {
            loop.observe { phase in
                phases.withLock { $0.append(phase) }
                if phase == .wait(blocking: true) { sleeps.open() }
            }
        }
        loop.start()
        try await sleeps.opened()
        manual.advance(by: .seconds(3_599))
        #expect(!fired.isOpen)
        manual.advance(by: .seconds(1))
        try await fired.opened()
        loop.shutDown()
        observation.cancel()
        // It did not go round and round meanwhile.
        #expect(phases.withLock { $0.count { $0 == .wait(blocking: false) } } <= 2)
        #expect(phases.withLock { $0.count { $0 == .wait(blocking: true) } } < 10)
    }

    @Test("A run until a moment ends when the clock is moved there")
    func runUntil() async throws {
        let (manual, ended, sleeps) = (manual, Gate(), Gate())
        let end = manual.now + .seconds(60)
        let observation = manual.turn {
            manual.loop.observe { if $0 == .wait(blocking: true) { sleeps.open() } }
        }
        Thread.detachNewThread {
            manual.loop.run(until: end)
            ended.open()
        }
        try await sleeps.opened()
        manual.advance(by: .seconds(59))
        #expect(!ended.isOpen)
        manual.advance(by: .seconds(1))
        try await ended.opened()
        observation.cancel()
    }

    @Test("A connection on a started loop times out when the clock is moved")
    func startedIdleTimeOut() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(head), .hold])
        let delegate = RecordingDelegate()
        manual.loop.start()
        defer { manual.loop.shutDown() }
        try connection(to: server, timeout: 900, delegate).start()
        try await delegate.heard(count: 1)
        manual.advance(by: .seconds(900))
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .failed(.timedOut)])
    }
}
