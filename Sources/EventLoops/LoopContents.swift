/// What a loop holds: all that only the loop's own thread touches.
final class LoopContents {
    /// A timer as the loop keeps it.
    struct TimerRegistration {
        let action: () -> Void
        var interval: Duration?
    }

    let base = EventBase()
    var now: ContinuousClock.Instant

    private(set) var watchers: [Int: DescriptorEvent] = [:]
    private(set) var timers: [Int: TimerRegistration] = [:]
    var queue = TimerQueue()
    private(set) var observers: [Int: (LoopPhase) -> Void] = [:]
    var flushes: [() -> Void] = []
    var closings: [() -> Void] = []

    /// Whether the loop has handed itself jobs, which need no wake-up.
    var hasOwnJobs = false

    /// What the alarm is set to, so that it is not set anew each turn.
    var alarm: ContinuousClock.Instant?

    private var lastIdentifier = 0
    private let wake: WakeDescriptor
    private let wakeEvent: DescriptorEvent

    /// Watchers whose interest the kernel still takes for wider than it is.
    private var narrowed: [DescriptorEvent] = []

    init(now: ContinuousClock.Instant, wake: WakeDescriptor) {
        self.now = now
        self.wake = wake
        wakeEvent = DescriptorEvent(base: base, descriptor: wake.descriptor) { _ in }
        do {
            try wakeEvent.setInterest(.read)
        } catch {
            preconditionFailure("the loop can't be woken: \(error)")
        }
    }

    /// A number that no watcher, timer or observer of this loop had before.
    private func makeIdentifier() -> Int {
        lastIdentifier += 1
        return lastIdentifier
    }
}

// MARK: - The wait

extension LoopContents {
    /// Waits with exactly the interest that is asked for, and returns the watchers that became active.
    ///
    /// The wake-up ends the wait and is nobody's watcher.
    func wait(blocking: Bool) -> [(event: DescriptorEvent, readiness: Readiness)] {
        narrowInterests()
        base.wait(blocking: blocking)
        var active = base.takeActive()
        if let wakeUp = active.firstIndex(where: { $0.event === wakeEvent }) {
            active.remove(at: wakeUp)
            wake.drain()
        }
        return active
    }

    private func narrowInterests() {
        // Let go of at the end: what an action releases may narrow others in turn.
        let events = narrowed
        narrowed = []
        for event in events { event.narrow() }
    }
}

// MARK: - Adding and removing

extension LoopContents {
    func addWatcher(_ event: DescriptorEvent) -> Int {
        let identifier = makeIdentifier()
        watchers[identifier] = event
        return identifier
    }

    func setInterest(_ interest: Readiness, of watcher: Int) throws(DescriptorError) {
        guard let event = watchers[watcher] else { return }
        try event.setInterest(interest)
        if event.isWider { narrowed.append(event) }
    }

    func removeWatcher(_ identifier: Int) {
        watchers.removeValue(forKey: identifier)?.end()
    }

    func addTimer(_ timer: TimerRegistration, deadline: ContinuousClock.Instant) -> Int {
        let identifier = makeIdentifier()
        timers[identifier] = timer
        queue.set(identifier, deadline: deadline)
        return identifier
    }

    func removeTimer(_ identifier: Int) {
        queue.cancel(identifier)
        // Not by `= nil`, which would release the closure with the dictionary still being changed.
        _ = timers.removeValue(forKey: identifier)
    }

    func addObserver(_ action: @escaping (LoopPhase) -> Void) -> Int {
        let identifier = makeIdentifier()
        observers[identifier] = action
        return identifier
    }

    func removeObserver(_ identifier: Int) {
        _ = observers.removeValue(forKey: identifier)
    }

    /// Lets go of everything; closures that are released here may release others in turn.
    func removeAll() {
        for watcher in watchers.values { watcher.end() }
        let released = (watchers, timers, observers, flushes, closings, narrowed)
        watchers = [:]
        timers = [:]
        queue = TimerQueue()
        observers = [:]
        flushes = []
        closings = []
        narrowed = []
        withExtendedLifetime(released) {}
    }
}
