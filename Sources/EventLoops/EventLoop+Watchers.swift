// MARK: - Watchers

extension EventLoop {
    /// Watches a descriptor: `action` runs on the loop in each turn that finds it ready.
    ///
    /// Readiness is a level, not an edge: as long as bytes are left to read, each turn calls again.
    /// Keep the watcher: letting go of it ends the watch. Cancel it before you close the descriptor.
    /// Call it on the loop.
    ///
    /// - Throws: ``DescriptorError`` when the kernel can't watch the descriptor: it is closed, or a
    ///   regular file.
    public func watch(
        _ descriptor: Int32,
        for interest: Readiness,
        _ action: @escaping (Readiness) -> Void
    ) throws(DescriptorError) -> Watcher {
        let contents = onLoop
        let event = DescriptorEvent(base: contents.base, descriptor: descriptor, action: action)
        try event.setInterest(interest)
        let identifier = contents.addWatcher(event)
        return Watcher(descriptor: descriptor, identifier: identifier, loop: self)
    }
}

// MARK: - In a turn

extension EventLoop {
    /// Calls a watcher, unless one that was called earlier in this turn has changed its interest.
    func dispatch(_ readiness: Readiness, to event: DescriptorEvent) {
        let wanted = readiness.intersection(event.interest)
        if !wanted.isEmpty { event.action(wanted) }
    }

    /// Takes something out of the loop: at once on the loop or when nobody turns it, else by a job.
    ///
    /// Not by a job alone: a loop that is never started again would keep what was let go of, and
    /// itself, where an action holds the loop.
    func remove(_ body: @escaping @Sendable (LoopContents) -> Void) {
        if isCurrent { return body(onLoop) }
        if visit(body) { return }
        perform { [weak self] in
            if let self { body(onLoop) }
        }
    }
}
