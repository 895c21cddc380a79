import EventLoops
import Synchronization

/// A clock that a test moves by hand: a loop with it never fires a timer by itself.
final class HandClock: LoopClock {
    private let time = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock { $0 } }

    var runsByItself: Bool { false }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }
}

extension TestLoop {
    /// A loop that takes its time from a clock of the test.
    convenience init(clock: HandClock) {
        self.init(EventLoop(name: "test", clock: clock))
        loop.start()
    }
}
