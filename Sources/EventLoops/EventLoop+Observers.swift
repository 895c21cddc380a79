// MARK: - Observers

extension EventLoop {
    /// Tells `action` of each phase of each turn, on the loop, as the phase begins.
    ///
    /// An observer changes nothing and should be quick: the whole loop waits for it. Keep what is
    /// returned: letting go of it ends the observation. Call it on the loop.
    public func observe(_ action: @escaping (LoopPhase) -> Void) -> LoopObservation {
        let contents = onLoop
        let identifier = contents.makeIdentifier()
        contents.observers[identifier] = action
        return LoopObservation(identifier: identifier, loop: self)
    }

    /// Tells the observers where the loop is, in the order in which they came.
    func tell(_ phase: @autoclosure () -> LoopPhase) {
        let observers = onLoop.observers
        guard !observers.isEmpty else { return }
        let phase = phase()
        for identifier in observers.keys.sorted() { observers[identifier]?(phase) }
    }
}
