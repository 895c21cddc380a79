import EventLoops
import NetworkingTestKit
import Testing

@Suite("Observers of a loop", .timeLimit(.minutes(1)))
struct LoopObserverTests {
    private let manual = ManualLoop()

    @Test("A turn is told in the picture's order, with what each phase is about to run")
    func phases() throws {
        let pair = DescriptorPair()
        let phases = Transcript<LoopPhase>()
        let loop = manual.loop
        let kept = try manual.turn {
            (
                loop.observe { phases.note($0) },
                try loop.watch(pair.reader, for: .read) { _ in loop.atFlush {} },
                loop.timer(after: .seconds(1)) {},
                loop.timer(after: .seconds(9)) {}
            )
        }
        phases.clear()
        pair.write()
        loop.perform {}
        loop.perform {}
        manual.turn(after: .seconds(1))
        #expect(
            phases.entries == [
                .entry, .jobs(count: 2), .wait(blocking: false), .dispatch(watchers: 1, timers: 1),
                .flush(count: 1), .exit,
            ]
        )
        withExtendedLifetime(kept) {}
    }

    @Test("Each phase is told before what it runs")
    func beforeTheWork() throws {
        let transcript = Transcript<String>()
        let loop = manual.loop
        let kept = manual.turn {
            (
                loop.observe { transcript.note("\($0)") },
                loop.timer(after: .seconds(1)) {
                    transcript.note("timer")
                    loop.atFlush { transcript.note("flushed") }
                }
            )
        }
        transcript.clear()
        loop.perform { transcript.note("job") }
        manual.turn(after: .seconds(1))
        #expect(
            transcript.entries == [
                "entry", "jobs(count: 1)", "job", "wait(blocking: false)",
                "dispatch(watchers: 0, timers: 1)", "timer", "flush(count: 1)", "flushed", "exit",
            ]
        )
        withExtendedLifetime(kept) {}
    }

    @Test("Each start and each stop is told once, however many turns there are between")
    func entryAndExit() throws {
        let loop = EventLoop()
        let phases = Transcript<LoopPhase>()
        let exit = Gate()
        loop.start()
        let observation = try loop.call {
            loop.observe {
                phases.note($0)
                if $0 == .exit { exit.open() }
            }
        }
        for _ in 0..<3 { try loop.call {} }
        loop.stop()
        #expect(exit.opens())
        loop.start()
        try loop.call {}
        let ends = phases.entries.filter { $0 == .entry || $0 == .exit }
        #expect(ends == [.exit, .entry])
        observation.cancel()
        loop.shutDown()
    }

    @Test("Observers are told in the order in which they came")
    func several() throws {
        let transcript = Transcript<Int>()
        let observations = manual.turn {
            (0..<20).map { number in
                manual.loop.observe { if $0 == .entry { transcript.note(number) } }
            }
        }
        manual.turn()
        #expect(transcript.entries == Array(0..<20))
        withExtendedLifetime(observations) {}
    }

    @Test("An observer may end itself and another; then neither is told more")
    func endsItself() throws {
        let transcript = Transcript<String>()
        let holders = [Holder<LoopObservation>(), Holder<LoopObservation>()]
        let loop = manual.loop
        manual.turn {
            holders[0].value = loop.observe { phase in
                guard phase == .entry else { return }
                transcript.note("first")
                holders[0].value = nil
                holders[1].value = nil
            }
            holders[1].value = loop.observe { phase in
                if phase == .entry { transcript.note("second") }
            }
        }
        manual.turn()
        manual.turn()
        #expect(transcript.entries == ["first"])
    }

    @Test("A wake-up from another thread is nobody's watcher")
    func wakeUp() throws {
        let phases = Transcript<LoopPhase>()
        let observation = manual.turn { manual.loop.observe { phases.note($0) } }
        manual.loop.perform {}
        manual.turn()
        #expect(phases.entries.contains(.dispatch(watchers: 0, timers: 0)))
        #expect(!phases.entries.contains(.dispatch(watchers: 1, timers: 0)))
        observation.cancel()
    }
}
