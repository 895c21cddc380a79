import Synchronization
import Testing

@testable import EventLoops

@Suite("Shutting a loop down", .timeLimit(.minutes(1)))
struct LoopShutDownTests {
    @Test(
        "Jobs that wait run, closings run, timers and watchers are let go of, the thread has ended"
    )
    func withWorkPending() throws {
        let loop = EventLoop(name: "work pending")
        let transcript = Transcript<String>()
        let pair = DescriptorPair()
        loop.start()
        let kept = try loop.call {
            let timerToken = Token { transcript.note("timer released") }
            let watcherToken = Token { transcript.note("watcher released") }
            let observerToken = Token { transcript.note("observer released") }
            loop.atShutDown {
                transcript.note("closing")
                loop.perform { transcript.note("job of the closing") }
            }
            ThreadEnd.ofCurrentThread { transcript.note("thread ended") }
            return (
                loop.timer(after: .seconds(60)) { timerToken.use() },
                try loop.watch(pair.reader, for: .read) { _ in watcherToken.use() },
                loop.observe { _ in observerToken.use() }
            )
        }
        // The loop can't have taken these jobs when the shutdown begins.
        try loop.call {
            loop.perform { transcript.note("job") }
            loop.stop()
        }
        loop.shutDown()
        let entries = transcript.entries
        #expect(entries.prefix(3) == ["job", "closing", "job of the closing"])
        #expect(
            Set(entries.dropFirst(3).dropLast())
                == ["timer released", "watcher released", "observer released"]
        )
        #expect(entries.last == "thread ended")
        #expect(try ThisProcess.soon { try ThisProcess.threadCount(named: "work pending") == 0 })
        kept.0.cancel()
        kept.1.cancel()
        kept.2.cancel()
    }

    @Test("A loop that was run by a caller is closed by that caller before run() returns")
    func whileRun() throws {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        let turns = Gate()
        loop.perform {
            loop.atShutDown { transcript.note("closing") }
            turns.open()
        }
        let runner = LoopThread(name: "runner") {
            loop.run()
            transcript.note("run returned")
        }
        #expect(turns.opens())
        loop.shutDown()
        runner.join()
        #expect(transcript.entries == ["closing", "run returned"])
    }

    @Test("From inside a callback it returns at once, and the loop ends after the turn")
    func inside() throws {
        let loop = EventLoop(name: "shut inside")
        let transcript = Transcript<String>()
        loop.performAwake {
            loop.atShutDown { transcript.note("closing") }
            loop.atFlush { transcript.note("flush") }
            loop.shutDown()
            loop.shutDown()
            transcript.note("returned")
        }
        #expect(loop.runReturns())
        #expect(transcript.entries == ["returned", "flush", "closing"])
        #expect(!loop.perform {})

        let started = EventLoop(name: "shut inside")
        started.perform { started.shutDown() }
        started.start()
        started.shutDown()
        #expect(try ThisProcess.soon { try ThisProcess.threadCount(named: "shut inside") == 0 })
    }

    @Test("Every shutdown, from however many threads, returns after the thread has ended")
    func severalThreads() throws {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        loop.start()
        try loop.call { ThreadEnd.ofCurrentThread { transcript.note("thread ended") } }
        let callers = (0..<6).map { _ in
            LoopThread(name: "caller") {
                loop.shutDown()
                transcript.note("returned")
            }
        }
        for caller in callers { caller.join() }
        loop.shutDown()
        #expect(transcript.entries == ["thread ended"] + Array(repeating: "returned", count: 6))
    }

    @Test("A second shutdown waits until everything was let go of")
    func secondWaits() throws {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        let (releasing, release) = (Gate(), Gate())
        loop.start()
        let timer = try loop.call {
            let token = Token {
                releasing.open()
                _ = release.opens()
                transcript.note("let go")
            }
            return loop.timer(after: .seconds(60)) { token.use() }
        }
        let first = LoopThread(name: "first") { loop.shutDown() }
        #expect(releasing.opens())
        let called = Gate()
        let second = LoopThread(name: "second") {
            called.open()
            loop.shutDown()
            transcript.note("second returned")
        }
        #expect(called.opens())
        // Gives a shutdown that does not wait the time to return.
        #expect(!ThisProcess.yields(until: { !transcript.entries.isEmpty }))
        release.open()
        first.join()
        second.join()
        #expect(transcript.entries == ["let go", "second returned"])
        timer.cancel()
    }

    @Test("A loop that never turned runs its jobs on the caller and refuses later ones")
    func neverTurned() {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        loop.perform { transcript.note(loop.isCurrent ? "job on the loop" : "job off the loop") }
        loop.shutDown()
        loop.shutDown()
        #expect(transcript.entries == ["job on the loop"])
        #expect(!loop.perform { transcript.note("late") })
        #expect(transcript.entries == ["job on the loop"])
    }

    @Test("A stopped loop is closed by the caller, after its thread has ended", arguments: [0, 1])
    func stopped(runs: Int) throws {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        loop.start()
        try loop.call {
            ThreadEnd.ofCurrentThread { transcript.note("thread ended") }
            loop.stop()
        }
        for _ in 0..<runs { loop.run(until: .now) }
        loop.shutDown()
        transcript.note("returned")
        #expect(transcript.entries == ["thread ended", "returned"])
        #expect(!loop.perform {})
    }
}
