import Testing

@testable import EventLoops

@Suite("Starting and stopping a loop", .timeLimit(.minutes(1)))
struct LoopStartStopTests {
    /// What runs on the loop and stops it.
    enum Callback: CaseIterable {
        case job
        case timer
        case watcher
        case flush
        case waitObserver
    }

    @Test("Starting a loop that turns does nothing")
    func startTwice() throws {
        let loop = EventLoop(name: "start twice")
        loop.start()
        loop.start()
        try loop.call {}
        #expect(try ThisProcess.threadCount(named: "start twice") == 1)
        loop.shutDown()
    }

    @Test("A stop before the start is not remembered")
    func stopBeforeStart() throws {
        let loop = EventLoop()
        loop.stop()
        loop.stop()
        loop.start()
        #expect(try loop.call { 1 } == 1)
        loop.shutDown()
    }

    @Test("A second stop does nothing, and the next start goes on")
    func stopTwice() throws {
        let loop = EventLoop()
        loop.start()
        loop.stop()
        loop.stop()
        loop.start()
        #expect(try loop.call { 1 } == 1)
        loop.shutDown()
    }

    @Test("Stopping from inside a callback ends the loop", arguments: Callback.allCases)
    func stopInside(callback: Callback) throws {
        let loop = EventLoop()
        let pair = DescriptorPair()
        let kept = Guarded<[any AnyObject & Sendable]>([])
        loop.performAwake {
            switch callback {
            case .job:
                loop.stop()
            case .timer:
                let timer = loop.timer(after: .zero) { loop.stop() }
                kept.withLock { $0.append(timer) }
            case .watcher:
                pair.write()
                let watcher = try? loop.watch(pair.reader, for: .read) { _ in loop.stop() }
                kept.withLock { $0.append(contentsOf: [watcher].compactMap(\.self)) }
            case .flush:
                loop.atFlush { loop.stop() }
            case .waitObserver:
                let observation = loop.observe { phase in
                    if case .wait = phase { loop.stop() }
                }
                kept.withLock { $0.append(observation) }
            }
        }
        #expect(loop.runReturns())
        loop.shutDown()
    }

    @Test("The turn in which the loop is stopped is finished, and no other begins")
    func stopEndsAfterTheTurn() throws {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        let timer = Guarded<LoopTimer?>(nil)
        loop.perform {
            loop.stop()
            loop.perform { transcript.note("next job") }
            let new = loop.timer(after: .zero) { transcript.note("timer") }
            timer.withLock { $0 = new }
            loop.atFlush { transcript.note("flush") }
        }
        #expect(loop.runReturns())
        #expect(transcript.entries == ["timer", "flush"])
    }

    @Test("A start after a stop goes on with the timers, watchers and jobs that are registered")
    func startAfterStop() throws {
        let loop = EventLoop(name: "goes on")
        let pair = DescriptorPair()
        let heard = [Gate(), Gate(), Gate()]
        let exit = Gate()
        loop.start()
        let kept = try loop.call {
            let timer = loop.timer(every: .milliseconds(1)) {
                if exit.isOpen { heard[0].open() }
            }
            let watcher = try loop.watch(pair.reader, for: .read) { _ in
                pair.read()
                heard[1].open()
            }
            let observation = loop.observe { if $0 == .exit { exit.open() } }
            return (timer, watcher, observation)
        }
        loop.stop()
        #expect(exit.opens())
        pair.write()
        loop.perform { heard[2].open() }
        loop.start()
        for gate in heard { #expect(gate.opens()) }
        withExtendedLifetime(kept) {}
        loop.shutDown()
    }

    @Test("A start takes back the stop before it, inside one callback on the loop's own thread")
    func startAfterStopInside() throws {
        let loop = EventLoop(name: "taken back")
        let phases = Transcript<LoopPhase>()
        loop.start()
        let observation = try loop.call { loop.observe { phases.note($0) } }
        try loop.call {
            loop.stop()
            loop.start()
        }
        #expect(try loop.call { 1 } == 1)
        #expect(!phases.entries.contains(.exit))
        #expect(try ThisProcess.threadCount(named: "taken back") == 1)
        observation.cancel()
        loop.shutDown()
    }

    @Test("Of stop, start and stop in one callback the last one counts")
    func lastStopCounts() throws {
        let loop = EventLoop()
        loop.perform {
            loop.stop()
            loop.start()
            loop.stop()
        }
        #expect(loop.runReturns())
    }

    @Test("Only a loop that nobody ever started, ran or shut down is started by need")
    func startUnlessBegun() throws {
        let fresh = EventLoop()
        fresh.startUnlessBegun()
        fresh.startUnlessBegun()
        #expect(try fresh.call { 1 } == 1)
        fresh.shutDown()
        fresh.startUnlessBegun()
        #expect(!fresh.perform {})

        let stopped = EventLoop(name: "was stopped")
        stopped.run(until: .now)
        stopped.startUnlessBegun()
        #expect(try ThisProcess.threadCount(named: "was stopped") == 0)
    }
}
