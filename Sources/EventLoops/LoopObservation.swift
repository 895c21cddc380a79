/// An observer's place at a loop; it ends when it is let go of.
///
/// Made by ``EventLoop/observe(_:)``.
public final class LoopObservation: Sendable {
    private let identifier: Int
    private weak let loop: EventLoop?

    init(identifier: Int, loop: EventLoop) {
        self.identifier = identifier
        self.loop = loop
    }

    deinit {
        cancel()
    }

    /// Ends the observation, from any thread; cancelling twice does nothing.
    public func cancel() {
        loop?.remove { [identifier] in $0.removeObserver(identifier) }
    }
}
