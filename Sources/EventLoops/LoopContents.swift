/// What a loop holds: all that only the loop's own thread touches.
final class LoopContents {
    /// A timer as the loop keeps it.
    struct TimerRegistration {
        let action: () -> Void
        var interval: Duration?
    }

    let base = EventBase()
    var now: ContinuousClock.Instant

    var watchers: [Int: DescriptorEvent] = [:]
    var timers: [Int: TimerRegistration] = [:]
    var queue = TimerQueue()
    var observers: [Int: (LoopPhase) -> Void] = [:]
    var flushes: [() -> Void] = []
    var closings: [() -> Void] = []

    /// Whether the loop has handed itself jobs, which need no wake-up.
    var hasOwnJobs = false

    /// What the alarm is set to, so that it is not set anew each turn.
    var alarm: ContinuousClock.Instant?

    private var lastIdentifier = 0
    private var wakeEvent: DescriptorEvent?

    init(now: ContinuousClock.Instant, wake: WakeDescriptor) {
        self.now = now
        let event = DescriptorEvent(base: base, descriptor: wake.descriptor) { _ in wake.drain() }
        do {
            try event.setInterest(.read)
        } catch {
            preconditionFailure("the loop can't be woken: \(error)")
        }
        wakeEvent = event
    }

    /// A number that no watcher, timer or observer of this loop had before.
    func makeIdentifier() -> Int {
        lastIdentifier += 1
        return lastIdentifier
    }

    /// Lets go of everything; closures that are released here may release others in turn.
    func removeAll() {
        for watcher in watchers.values { watcher.end() }
        let released = (watchers, timers, observers, flushes, closings)
        watchers = [:]
        timers = [:]
        queue = TimerQueue()
        observers = [:]
        flushes = []
        closings = []
        withExtendedLifetime(released) {}
    }
}
