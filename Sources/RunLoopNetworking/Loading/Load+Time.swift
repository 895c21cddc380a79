internal import EventLoops

// MARK: - The time without any activity

extension Load {
    /// Something moved on the network.
    func touch() {
        idle.touch(at: loop.now)
        if idleTimer == nil { armIdleTimer() }
    }

    /// The load waits for the delegate, and not for the network.
    func suspendIdleClock() {
        idle.suspend()
    }

    /// The delegate has answered, or caught up.
    func resumeIdleClock() {
        idle.resume(at: loop.now)
        armIdleTimer()
    }

    /// One timer for many touches: when it fires too early it is set anew.
    private func armIdleTimer() {
        switch idle.verdict(at: loop.now) {
        case .wait(let delay):
            idleTimer = loop.timer(after: delay) { [weak self] in self?.idleTimerFired() }
        case .rest:
            idleTimer = nil
        case .expired:
            idleTimerFired()
        }
    }

    private func idleTimerFired() {
        guard !isOver, idle.verdict(at: loop.now) == .expired else { return armIdleTimer() }
        idleTimeExpired()
    }
}
