import NetworkingTestKit
import Testing

@testable import EventLoops

@Suite("Jobs", .timeLimit(.minutes(1)))
struct LoopJobTests {
    @Test("No job of many threads is lost, and each thread's jobs run in its order")
    func manyThreads() throws {
        let loop = EventLoop()
        loop.start()
        let heard = Transcript<(thread: Int, job: Int)>()
        let threads = (0..<8).map { thread in
            LoopThread(name: "poster") {
                for job in 0..<12_500 { loop.perform { heard.note((thread, job)) } }
            }
        }
        for thread in threads { thread.join() }
        try loop.call {}
        let byThread = Dictionary(grouping: heard.entries, by: \.thread)
        #expect(byThread.count == 8)
        for jobs in byThread.values { #expect(jobs.map(\.job) == Array(0..<12_500)) }
        loop.shutDown()
    }

    @Test("Jobs run on a loop that is started after they were handed over")
    func beforeStart() {
        let loop = EventLoop()
        let transcript = Transcript<Int>()
        for job in 0..<3 { loop.perform { transcript.note(job) } }
        #expect(transcript.entries == [])
        loop.run(until: .now)
        #expect(transcript.entries == [0, 1, 2])
    }

    @Test("A job from another thread wakes a loop that waits for a timer")
    func atOnce() throws {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        let (waits, ran) = (Gate(), Gate())
        loop.start()
        let kept = try loop.call {
            let timer = loop.timer(after: .seconds(60)) { transcript.note("timer") }
            let observation = loop.observe { if $0 == .wait(blocking: true) { waits.open() } }
            return (timer, observation)
        }
        #expect(waits.opens())
        loop.perform {
            transcript.note("job")
            ran.open()
        }
        #expect(ran.opens())
        #expect(transcript.entries == ["job"])
        withExtendedLifetime(kept) {}
        loop.shutDown()
    }

    @Test("A job that a job hands over runs in the next turn, for which the loop does not wait")
    func jobOfAJob() throws {
        let manual = ManualLoop()
        let transcript = Transcript<String>()
        let observation = manual.turn { manual.loop.observe { transcript.note("\($0)") } }
        transcript.clear()
        let loop = manual.loop
        loop.perform {
            transcript.note("first")
            loop.perform { transcript.note("second") }
        }
        loop.turnOnce()
        loop.turnOnce()
        let turn = ["wait(blocking: false)", "dispatch(watchers: 0, timers: 0)", "flush(count: 0)"]
        #expect(
            transcript.entries
                == ["entry", "jobs(count: 1)", "first"] + turn + ["exit"]
                + ["entry", "jobs(count: 1)", "second"] + turn + ["exit"]
        )
        observation.cancel()
    }

    @Test("A job that is handed over on the loop is not waited for", arguments: [false, true])
    func jobsOfTheLoopItself(fromObserver: Bool) throws {
        let loop = EventLoop()
        loop.start()
        let ran = Gate()
        let kept = Guarded<[LoopObservation]>([])
        loop.performAwake {
            guard fromObserver else {
                loop.perform { ran.open() }
                return
            }
            let observation = loop.observe {
                if $0 == .wait(blocking: true), !ran.isOpen { loop.perform { ran.open() } }
            }
            kept.withLock { $0.append(observation) }
        }
        #expect(ran.opens())
        loop.shutDown()
    }

    @Test("All jobs that come before the loop looks are one wake-up")
    func oneWakeUp() throws {
        let manual = ManualLoop()
        let (loop, wake) = (manual.loop, manual.loop.wake.descriptor)
        for _ in 0..<100 { loop.perform {} }
        #expect(Descriptors.takeSignals(of: wake) == 1)
        loop.turnOnce()
        for _ in 0..<100 { loop.perform {} }
        #expect(Descriptors.takeSignals(of: wake) == 1)
    }

    @Test("A job that the loop hands itself is no wake-up")
    func noWakeUp() throws {
        let manual = ManualLoop()
        let loop = manual.loop
        manual.turn()
        let signals = manual.turn {
            _ = Descriptors.takeSignals(of: loop.wake.descriptor)
            loop.perform {}
            return Descriptors.takeSignals(of: loop.wake.descriptor)
        }
        #expect(signals == 0)
    }

    @Test("A job with a delay runs when the delay has passed since it was handed over")
    func withDelay() {
        let manual = ManualLoop()
        let transcript = Transcript<String>()
        manual.loop.perform(after: .seconds(2)) { transcript.note("two") }
        manual.loop.perform(after: .seconds(1)) { transcript.note("one") }
        manual.loop.perform(after: .seconds(-1)) { transcript.note("none") }
        manual.turn()
        #expect(transcript.entries == ["none"])
        manual.turn(after: .seconds(1))
        #expect(transcript.entries == ["none", "one"])
        manual.turn(after: .seconds(1))
        #expect(transcript.entries == ["none", "one", "two"])
    }

    @Test("What a job has captured is let go of after it ran")
    func release() {
        let manual = ManualLoop()
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            manual.loop.perform { captured.use() }
        }
        #expect(token != nil)
        manual.turn()
        #expect(token == nil)
    }
}
