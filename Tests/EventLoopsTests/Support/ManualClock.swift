import EventLoops

/// A clock that stands still until a test moves it.
final class ManualClock: LoopClock {
    private let time = Guarded(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock(\.self) }
    var runsByItself: Bool { false }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }
}
