import Testing

@testable import EventLoops

@Suite("Running a loop on the calling thread", .timeLimit(.minutes(1)))
struct LoopRunTests {
    @Test("Running until a moment returns at that moment, with nothing registered")
    func runUntilWithNothing() {
        let loop = EventLoop()
        let deadline = ContinuousClock.now + .milliseconds(20)
        #expect(loop.returns { $0.run(until: deadline) })
        #expect(ContinuousClock.now >= deadline)
    }

    @Test("Running until a moment that has passed is one turn that does not wait")
    func runUntilNow() {
        let loop = EventLoop()
        let phases = Transcript<LoopPhase>()
        let kept = Guarded<[LoopObservation]>([])
        loop.perform {
            let observation = loop.observe { phases.note($0) }
            kept.withLock { $0.append(observation) }
        }
        #expect(loop.returns { $0.run(until: .now) })
        let expected: [LoopPhase] = [
            .jobs(count: 1), .wait(blocking: false), .dispatch(watchers: 0, timers: 0),
            .flush(count: 0), .exit,
        ]
        #expect(Array(phases.entries.suffix(4)) == Array(expected.suffix(4)))
    }

    @Test("A stop ends a run that has a deadline")
    func stopBeforeDeadline() {
        let loop = EventLoop()
        loop.performAwake { loop.stop() }
        #expect(loop.returns { $0.run(until: .now + .seconds(3_600)) })
    }

    @Test("A stop from another thread ends a run that waits")
    func stopFromElsewhere() throws {
        let loop = EventLoop()
        let waits = Gate()
        let kept = Guarded<[LoopObservation]>([])
        loop.perform {
            let observation = loop.observe { if $0 == .wait(blocking: true) { waits.open() } }
            kept.withLock { $0.append(observation) }
        }
        let runner = LoopThread(name: "runner") { loop.run() }
        #expect(waits.opens())
        loop.stop()
        runner.join()
        #expect(!loop.isCurrent)
    }

    @Test("A run waits for the stop that is under way on the loop's own thread")
    func runWaitsForStop() throws {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        let (entered, release) = (Gate(), Gate())
        loop.start()
        loop.perform {
            entered.open()
            _ = release.opens()
            transcript.note("the last turn ends")
        }
        #expect(entered.opens())
        loop.stop()
        loop.perform { transcript.note("run turns") }
        let begins = Gate()
        let runner = LoopThread(name: "runner") {
            begins.open()
            loop.run(until: .now)
            transcript.note("run returns")
        }
        #expect(begins.opens())
        release.open()
        runner.join()
        #expect(transcript.entries == ["the last turn ends", "run turns", "run returns"])
    }

    @Test("A start after a stop inside a run goes on with a thread of the loop's own")
    func startAfterStopInRun() throws {
        let loop = EventLoop(name: "took over")
        loop.perform {
            loop.stop()
            loop.start()
            loop.perform {}
        }
        #expect(loop.runReturns())
        #expect(!loop.isCurrent)
        try loop.call { #expect(loop.isCurrent) }
        #expect(try ThisProcess.threadCount(named: "took over") == 1)
        loop.shutDown()
    }

    @Test("A run inside a callback of the same loop stops the program and says so")
    func nestedRun() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let loop = EventLoop()
            loop.perform { loop.run() }
            loop.run(until: .now)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("run() was called inside a callback of the same loop"))
    }

    @Test("A second thread that runs the loop stops the program and says what to do")
    func secondRunner() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let loop = EventLoop()
            let turns = Gate()
            loop.perform { turns.open() }
            let runner = LoopThread(name: "runner") { loop.run() }
            _ = turns.opens()
            loop.run()
            runner.join()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("another thread turns this loop; stop() it first"))
    }

    @Test("A loop runs inside a callback of another loop; then the thread is on both")
    func otherLoopInside() throws {
        let (outer, inner) = (EventLoop(), EventLoop())
        outer.perform {
            inner.perform { #expect(inner.isCurrent && outer.isCurrent) }
            inner.run(until: .now)
            #expect(!inner.isCurrent)
        }
        #expect(outer.returns { $0.run(until: .now) })
    }
}
