import EventLoops

/// The machine's clock, and what a test adds to it: hours go by at once.
///
/// It runs by itself as well: leave room for what the test takes.
final class HandClock: LoopClock {
    private let added = Guarded(Duration.zero)

    var now: ContinuousClock.Instant { ContinuousClock.now + added.withLock { $0 } }

    var runsByItself: Bool { true }

    fileprivate func advance(by duration: Duration) {
        added.withLock { $0 += duration }
    }
}

extension TestLoop {
    /// A loop that takes its time from a clock of the test.
    convenience init(clock: HandClock) {
        self.init(EventLoop(name: "test", clock: clock))
        loop.start()
    }

    /// Lets time go by for the loop, and wakes it.
    func advance(_ clock: HandClock, by duration: Duration) {
        clock.advance(by: duration)
        loop.perform {}
    }
}
