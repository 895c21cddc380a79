/// A registration of interest in a descriptor; it cancels itself when it is let go of.
///
/// Made by ``EventLoop/watch(_:for:_:)``.
public final class Watcher: Sendable {
    /// The descriptor that is watched; its owner closes it, after the watcher was cancelled.
    public let descriptor: Int32

    private let identifier: Int
    private weak let loop: EventLoop?

    init(descriptor: Int32, identifier: Int, loop: EventLoop) {
        self.descriptor = descriptor
        self.identifier = identifier
        self.loop = loop
    }

    deinit {
        cancel()
    }

    /// Changes what is asked for; an empty set lets the watcher rest.
    ///
    /// Call it on the loop. After ``cancel()`` it does nothing.
    ///
    /// - Throws: ``DescriptorError`` when the kernel can't watch the descriptor any more.
    public func setInterest(_ interest: Readiness) throws(DescriptorError) {
        guard let event = loop?.onLoop.watchers[identifier] else { return }
        try event.setInterest(interest)
    }

    /// Ends the watch, from any thread; cancelling twice does nothing.
    ///
    /// Called on the loop, the action does not run any more, even if the descriptor was found ready
    /// in this very turn. Called from another thread, an action that has begun goes on.
    public func cancel() {
        loop?.remove { [identifier] in $0.watchers.removeValue(forKey: identifier)?.end() }
    }
}
