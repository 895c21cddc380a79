import NetworkingTestKit
import Testing

@testable import EventLoops

@Suite("Who owns a loop", .timeLimit(.minutes(1)))
struct LoopOwnershipTests {
    @Test("A loop goes while its timers, watchers and observations live on, and they do no harm")
    func handlesOutlive() throws {
        weak var freed: EventLoop?
        let pair = DescriptorPair()
        let transcript = Transcript<String>()
        let kept = try { () throws -> (LoopTimer, Watcher, LoopObservation) in
            let manual = ManualLoop()
            freed = manual.loop
            let token = Token { transcript.note("let go") }
            return try manual.turn {
                (
                    manual.loop.timer(after: .seconds(1)) { token.use() },
                    try manual.loop.watch(pair.reader, for: .read) { _ in token.use() },
                    manual.loop.observe { _ in token.use() }
                )
            }
        }()
        #expect(freed == nil)
        #expect(transcript.entries == ["let go"])
        kept.0.cancel()
        kept.1.cancel()
        kept.2.cancel()
        try kept.1.setInterest(.write)
    }

    @Test("A loop that never turned goes, with its jobs")
    func neverTurned() {
        weak var freed: EventLoop?
        weak var token: Token?
        do {
            let loop = EventLoop()
            let captured = Token()
            (freed, token) = (loop, captured)
            loop.perform { captured.use() }
            loop.perform(after: .seconds(1)) { captured.use() }
        }
        #expect(freed == nil)
        #expect(token == nil)
    }

    @Test("What a job holds is let go of when it has run, while the loop waits for what comes next")
    func ranJob() {
        let released = Gate()
        let loop = EventLoop()
        loop.start()
        do {
            let token = Token { released.open() }
            loop.perform { token.use() }
        }
        #expect(released.opens())
        loop.shutDown()
    }

    @Test("A loop that turns keeps itself, and goes after its stop")
    func stopped() throws {
        let released = Gate()
        let waits = Gate()
        do {
            let loop = EventLoop()
            loop.start()
            let token = Token { released.open() }
            try loop.call {
                // A closing keeps the token as long as the loop lives.
                loop.atShutDown { token.use() }
                loop.perform { [weak loop] in
                    loop?.perform(after: .milliseconds(5)) { [weak loop] in
                        waits.open()
                        loop?.stop()
                    }
                }
            }
        }
        #expect(waits.opens())
        #expect(released.opens())
    }

    @Test("The last reference may go inside a callback of a run")
    func lastReferenceInside() throws {
        weak var freed: EventLoop?
        let transcript = Transcript<String>()
        let only = Guarded<EventLoop?>(EventLoop())
        freed = only.withLock(\.self)
        freed?.perform {
            only.withLock { $0 = nil }
            transcript.note("let go")
        }
        freed?.perform { transcript.note("next job") }
        only.withLock(\.self)?.run(until: .now)
        #expect(transcript.entries == ["let go", "next job"])
        #expect(freed == nil)
    }

    @Test("What is let go of while nobody turns the loop goes at once, even if it holds the loop")
    func letGoWhileIdle() throws {
        weak var freed: EventLoop?
        try {
            let manual = ManualLoop()
            let (loop, pair) = (manual.loop, DescriptorPair())
            freed = loop
            let kept = try manual.turn {
                (
                    loop.timer(after: .seconds(1)) { loop.stop() },
                    try loop.watch(pair.reader, for: .read) { _ in loop.stop() },
                    loop.observe { _ in loop.stop() }
                )
            }
            withExtendedLifetime(kept) {}
        }()
        #expect(freed == nil)
    }

    @Test("What goes while nobody turns the loop may start it, or shut it down")
    func startedByWhatGoes() throws {
        let loop = EventLoop()
        let timers = Transcript<LoopTimer>()
        loop.perform {
            let starts = Token { loop.start() }
            timers.note(loop.timer(after: .seconds(60)) { starts.use() })
        }
        loop.run(until: .now)
        timers.clear()
        #expect(try loop.call { 1 } == 1)

        try loop.call {
            let ends = Token { loop.shutDown() }
            timers.note(loop.timer(after: .seconds(60)) { ends.use() })
            loop.stop()
        }
        // Waits for the stop, so that nobody turns the loop.
        loop.run(until: .now)
        timers.clear()
        #expect(!loop.perform {})
    }

    @Test("A hundred loops leave no descriptor and no thread behind")
    func leavesNothing() async {
        await #expect(processExitsWith: .success) {
            // Whatever is made once, by the first loop, is there before the count.
            for round in 0...100 {
                if round == 1 { try Counts.remember() }
                let loop = EventLoop(name: "one of many")
                let pair = DescriptorPair()
                loop.start()
                let kept = try loop.call {
                    (
                        loop.timer(after: .seconds(60)) {},
                        try loop.watch(pair.reader, for: [.read]) { _ in }
                    )
                }
                try loop.call { try kept.1.setInterest([]) }
                loop.shutDown()
            }
            try Counts.expectAsRemembered()
        }
    }

    @Test("A hundred stopped loops, whose threads nobody joins, leave nothing behind")
    func stoppedLoopsLeaveNothing() async {
        await #expect(processExitsWith: .success) {
            for round in 0...100 {
                if round == 1 { try Counts.remember() }
                let loop = EventLoop(name: "one of many")
                loop.start()
                try loop.call {}
                loop.stop()
                loop.start()
                loop.stop()
            }
            try Counts.expectAsRemembered()
        }
    }

    @Test("A loop whose watcher rests when it goes leaves nothing behind")
    func restingWatcher() async {
        await #expect(processExitsWith: .success) {
            for round in 0...100 {
                if round == 1 { try Counts.remember() }
                let manual = ManualLoop()
                let pair = DescriptorPair()
                let watcher = try manual.turn {
                    try manual.loop.watch(pair.reader, for: .read) { _ in }
                }
                manual.turn { manual.loop.atFlush { try? watcher.setInterest([]) } }
            }
            try Counts.expectAsRemembered()
        }
    }
}
