internal import EventLoops

/// A clock that stands still until somebody moves it; any thread.
final class ManualClock: LoopClock {
    private let time = Guarded(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock(\.self) }
    var runsByItself: Bool { false }

    func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not go back")
        time.withLock { $0 += duration }
    }
}
