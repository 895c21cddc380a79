/// A timer of a loop; it cancels itself when it is let go of.
///
/// Made by ``EventLoop/timer(after:_:)`` and ``EventLoop/timer(every:_:)``.
public final class LoopTimer: Sendable {
    private let identifier: Int
    private weak let loop: EventLoop?

    init(identifier: Int, loop: EventLoop) {
        self.identifier = identifier
        self.loop = loop
    }

    deinit {
        cancel()
    }

    /// Takes the timer out of the loop, from any thread; cancelling twice does nothing.
    ///
    /// Called on the loop, the timer does not fire any more, even if it is due in this very turn.
    /// Called from another thread, a firing that has begun goes on.
    public func cancel() {
        loop?.remove { [identifier] in $0.removeTimer(identifier) }
    }
}
