internal import EventLoops

// MARK: - The time without any activity

extension Load {
    /// Something moved on the network.
    func touch() {
        idle.touch(at: loop.now)
        if idleTimer == nil { armIdleTimer() }
    }

    /// The load waits for the delegate or for its body stream, and not for the network.
    func suspendIdleClock(_ wait: IdleClock.Wait = .delegate) {
        idle.suspend(wait)
    }

    /// The delegate has answered, or caught up; or the stream has brought something.
    func resumeIdleClock(_ wait: IdleClock.Wait = .delegate) {
        idle.resume(wait, at: loop.now)
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
