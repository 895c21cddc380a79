package import EventLoops

/// The machine's clock, and what a test adds to it: hours go by at once.
///
/// It runs by itself as well: leave room for what the test takes. Any thread.
package final class HandClock: LoopClock {
    private let added = Guarded(Duration.zero)

    /// Makes a clock to which nothing was added.
    package init() {}

    package var now: ContinuousClock.Instant { ContinuousClock.now + added.withLock { $0 } }

    package var runsByItself: Bool { true }

    /// Lets time go by for a loop of this clock, and wakes it.
    package func advance(_ loop: EventLoop, by duration: Duration) {
        added.withLock { $0 += duration }
        loop.perform {}
    }
}
