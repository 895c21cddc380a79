import EventLoops
import Testing

@Suite("Loop affinity", .timeLimit(.minutes(1)))
struct LoopAffinityTests {
    /// What may be called on the loop alone.
    enum Door: Int, CaseIterable {
        case preconditionIsCurrent
        case timer
        case repeatingTimer
        case watch
        case setInterest
        case observe
        case now
        case atFlush
        case atShutDown
        case loopBound
    }

    @Test("A thread is on the loop while it turns the loop, and only then")
    func isCurrent() throws {
        let loop = EventLoop()
        #expect(!loop.isCurrent)
        loop.perform {
            #expect(loop.isCurrent)
            loop.preconditionIsCurrent()
        }
        loop.run(until: .now)
        #expect(!loop.isCurrent)
        loop.start()
        try loop.call { #expect(loop.isCurrent) }
        #expect(!loop.isCurrent)
        loop.shutDown()
        #expect(!loop.isCurrent)
    }

    @Test("Off the loop its doors stop the program and say what to do", arguments: Door.allCases)
    func offTheLoop(door: Door) async {
        let number: Int = door.rawValue
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [number = number as Int] in
            let loop = EventLoop()
            loop.start()
            try Self.enter(try #require(Door(rawValue: number)), of: loop)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("call this on the loop's own thread: loop.perform { … }"))
    }

    @Test("A repeating timer without an interval stops the program and says what it needs")
    func repeatingTimerWithoutInterval() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let loop = EventLoop()
            loop.perform { _ = loop.timer(every: .zero) {} }
            loop.run()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("a repeating timer needs an interval above zero"))
    }

    @Test("What is bound to a loop is reached on it")
    func loopBound() throws {
        let loop = EventLoop()
        let bound = LoopBound(7, to: loop)
        loop.start()
        #expect(try loop.call { bound.onLoop } == 7)
        loop.shutDown()
    }

    private static func enter(_ door: Door, of loop: EventLoop) throws {
        switch door {
        case .preconditionIsCurrent: loop.preconditionIsCurrent()
        case .timer: _ = loop.timer(after: .zero) {}
        case .repeatingTimer: _ = loop.timer(every: .seconds(1)) {}
        case .watch: _ = try loop.watch(0, for: .read) { _ in }
        case .setInterest:
            let pair = DescriptorPair()
            let watcher = try loop.call { try loop.watch(pair.reader, for: .read) { _ in } }
            try watcher.setInterest(.write)
        case .observe: _ = loop.observe { _ in }
        case .now: _ = loop.now
        case .atFlush: loop.atFlush {}
        case .atShutDown: loop.atShutDown {}
        case .loopBound: _ = LoopBound(7, to: loop).onLoop
        }
    }
}
