// MARK: - Observers

extension EventLoop {
    /// Tells `action` of each phase of each turn, on the loop, as the phase begins.
    ///
    /// An observer changes nothing and should be quick: the whole loop waits for it. Keep what is
    /// returned: letting go of it ends the observation. Call it on the loop.
    public func observe(_ action: @escaping (LoopPhase) -> Void) -> LoopObservation {
        LoopObservation(identifier: onLoop.addObserver(action), loop: self)
    }

    /// Tells the observers where the loop is, in the order in which they came.
    func tell(_ phase: @autoclosure () -> LoopPhase) {
        let loop = onLoop
        guard !loop.observers.isEmpty else { return }
        let phase = phase()
        // Looked up one by one: an observer may end itself, or one that comes after it.
        for identifier in loop.observers.keys.sorted() { loop.observers[identifier]?(phase) }
    }
}
