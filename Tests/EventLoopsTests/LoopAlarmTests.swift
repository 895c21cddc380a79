import Testing

@testable import EventLoops

@Suite("Timers by the machine's clock", .timeLimit(.minutes(1)))
struct LoopAlarmTests {
    @Test("A timer never fires early, and the loop sleeps until then")
    func notEarly() throws {
        let loop = EventLoop()
        let fired = Transcript<ContinuousClock.Instant>()
        let turns = Transcript<LoopPhase>()
        let kept = Guarded<[any AnyObject & Sendable]>([])
        let start = ContinuousClock.now
        loop.perform {
            let observation = loop.observe { if case .wait = $0 { turns.note($0) } }
            let timer = loop.timer(after: .milliseconds(30)) {
                fired.note(.now)
                loop.stop()
            }
            kept.withLock { $0 = [observation, timer] }
        }
        #expect(loop.runReturns())
        let moment = try #require(fired.entries.first)
        #expect(moment - start >= .milliseconds(30))
        #expect(turns.entries.count < 10)
    }

    @Test("A timer that is due earlier than the one waited for shortens the wait")
    func earlier() throws {
        let loop = EventLoop()
        loop.start()
        let long = try loop.call { loop.timer(after: .seconds(60)) {} }
        let fired = Gate()
        let short = try loop.call { loop.timer(after: .milliseconds(1)) { fired.open() } }
        #expect(fired.opens())
        // The alarm has rung; the next timer needs a new one.
        let again = Gate()
        let next = try loop.call { loop.timer(after: .milliseconds(1)) { again.open() } }
        #expect(again.opens())
        withExtendedLifetime((long, short, next)) {}
        loop.shutDown()
    }

    @Test("A timer that is due when the sun is cold neither fires nor keeps the loop busy")
    func distantFuture() throws {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        let kept = Guarded<[any AnyObject & Sendable]>([])
        loop.perform {
            let timer = loop.timer(after: .seconds(Int64.max)) { transcript.note("fired") }
            let observation = loop.observe { if case .wait = $0 { transcript.note("wait") } }
            kept.withLock { $0 = [timer, observation] }
        }
        let waits = Gate()
        loop.start()
        let observation = try loop.call {
            loop.observe { if $0 == .wait(blocking: true) { waits.open() } }
        }
        #expect(waits.opens())
        let before = transcript.entries.count
        _ = ThisProcess.yields(until: { false })
        #expect(!transcript.entries.contains("fired"))
        #expect(transcript.entries.count <= before + 1)
        observation.cancel()
        loop.shutDown()
    }

    @Test("When the only timer is cancelled, the loop waits for nothing")
    func cancelled() throws {
        let loop = EventLoop()
        loop.start()
        let timer = try loop.call { loop.timer(after: .seconds(60)) {} }
        // Each call comes after the wait of the turn before it.
        #expect(try loop.call { loop.onLoop.base.isAlarmSet })
        try loop.call { timer.cancel() }
        #expect(try !loop.call { loop.onLoop.base.isAlarmSet })
        loop.shutDown()
    }
}
