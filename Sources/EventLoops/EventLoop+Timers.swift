// MARK: - Timers

extension EventLoop {
    /// Makes a timer that fires once on the loop when `delay` has passed.
    ///
    /// Keep the timer: letting go of it cancels it. It fires in the dispatch of a turn, up to some
    /// milliseconds late (epoll_wait(2) counts in milliseconds), and never early. A delay that is
    /// not positive means the dispatch of the next turn. Call it on the loop.
    public func timer(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
        makeTimer(after: delay, interval: nil, action)
    }

    /// Makes a timer that fires on the loop again and again, first when `interval` has passed.
    ///
    /// Firings that a long turn has missed are not made up for. Keep the timer: letting go of it
    /// cancels it. Call it on the loop. The program stops when `interval` is not positive.
    public func timer(every interval: Duration, _ action: @escaping () -> Void) -> LoopTimer {
        precondition(interval > .zero, "a repeating timer needs an interval above zero")
        return makeTimer(after: interval, interval: interval, action)
    }

    private func makeTimer(
        after delay: Duration,
        interval: Duration?,
        _ action: @escaping () -> Void
    ) -> LoopTimer {
        let timer = LoopContents.TimerRegistration(action: action, interval: interval)
        let identifier = onLoop.addTimer(timer, deadline: clock.now + max(delay, .zero))
        return LoopTimer(identifier: identifier, loop: self)
    }
}

// MARK: - In a turn

extension EventLoop {
    /// Sees to it that the wait ends in time for the next timer, and for `deadline`.
    ///
    /// Returns whether the loop may sleep: it may not when something is to be done at once, or when
    /// this turn is the last.
    func setAlarm(noLaterThan deadline: ContinuousClock.Instant?) -> Bool {
        let loop = onLoop
        guard !loop.hasOwnJobs, loop.flushes.isEmpty else { return false }
        guard shared.withLock({ $0.lifecycle.goesOn }) else { return false }
        let next = [loop.queue.nextDeadline, deadline].compactMap(\.self).min()
        let now = clock.now
        if let next, next <= now { return false }
        // Whoever moves a clock that does not run by itself wakes the loop.
        guard let next, clock.runsByItself else {
            if loop.alarm != nil { loop.base.setAlarm(after: nil) }
            loop.alarm = nil
            return true
        }
        if loop.alarm != next || !loop.base.isAlarmSet {
            loop.base.setAlarm(after: next - now)
            loop.alarm = next
        }
        return true
    }

    /// Fires the timers that are due, in the order of their deadlines.
    func fireDueTimers() {
        let loop = onLoop
        let mark = loop.queue.mark
        while let (identifier, deadline) = loop.queue.popDue(at: loop.now, setBefore: mark) {
            guard let timer = loop.timers[identifier] else { continue }
            if let interval = timer.interval {
                let next = deadline + interval
                loop.queue.set(identifier, deadline: next > loop.now ? next : loop.now + interval)
            } else {
                loop.removeTimer(identifier)
            }
            timer.action()
        }
    }

    /// How many timers are about to fire; counted only when somebody observes.
    func countDueTimers() -> Int {
        let loop = onLoop
        return loop.observers.isEmpty ? 0 : loop.queue.countDue(at: loop.now)
    }
}
