// MARK: - Jobs

extension EventLoop {
    /// Hands a job to the loop, from any thread; it runs on the loop in the next turn.
    ///
    /// A loop that waits is woken at once, and once for all jobs that come before it looks. Jobs of
    /// one thread run in the order in which it handed them over. On a loop that does not turn, jobs
    /// wait for its start.
    ///
    /// - Returns: False when the loop was shut down; the job is let go of and never runs.
    @discardableResult
    public func perform(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isCurrent = isCurrent
        let (isTaken, wakes) = shared.withLock { shared in
            guard !shared.lifecycle.isClosed else { return (false, false) }
            shared.jobs.append(job)
            guard !isCurrent, !shared.isWoken else { return (true, false) }
            shared.isWoken = true
            return (true, true)
        }
        if wakes { wake.signal() }
        if isCurrent { onLoop.hasOwnJobs = true }
        return isTaken
    }

    /// Hands a job to the loop that runs there once `delay` has passed, from any thread.
    ///
    /// The loop keeps the job; there is no way to take it back. ``timer(after:_:)`` makes one that
    /// can be cancelled. A delay that is not positive means the next turn.
    ///
    /// - Returns: False when the loop was shut down; the job is let go of and never runs.
    @discardableResult
    public func perform(after delay: Duration, _ job: @escaping @Sendable () -> Void) -> Bool {
        let deadline = clock.now + max(delay, .zero)
        return perform { [weak self] in
            _ = self?.onLoop.addTimer(.init(action: job, interval: nil), deadline: deadline)
        }
    }

    /// Runs an action on the loop in the flush of this turn, once; for what is gathered in a turn.
    ///
    /// Call it on the loop. An action that is added during the flush runs in the next turn's.
    package func atFlush(_ action: @escaping () -> Void) {
        onLoop.flushes.append(action)
    }

    /// Runs an action when the loop is shut down, on the thread that closes it.
    ///
    /// Call it on the loop.
    package func atShutDown(_ action: @escaping () -> Void) {
        onLoop.closings.append(action)
    }

    /// What another layer keeps with this loop: made by the first caller, the same for all later ones.
    ///
    /// Any thread. `make` runs with a lock held and must not call the loop.
    package func attachment<Attachment: AnyObject & Sendable>(
        make: () -> Attachment
    ) -> Attachment {
        shared.withLock { shared in
            let key = ObjectIdentifier(Attachment.self)
            if let found = shared.attachments[key] as? Attachment { return found }
            let made = make()
            shared.attachments[key] = made
            return made
        }
    }
}

// MARK: - In a turn

extension EventLoop {
    /// Takes the jobs that wait; those that come from now on belong to the next turn.
    func takeJobs() -> [@Sendable () -> Void] {
        onLoop.hasOwnJobs = false
        return shared.withLock { shared in
            shared.isWoken = false
            guard !shared.jobs.isEmpty else { return [] }
            let jobs = shared.jobs
            shared.jobs = []
            return jobs
        }
    }

    /// Runs what was put off to the end of the turn.
    func flush() {
        let loop = onLoop
        guard !loop.flushes.isEmpty else { return }
        let actions = loop.flushes
        loop.flushes = []
        for action in actions { action() }
    }
}
