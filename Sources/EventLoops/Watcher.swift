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
    /// A descriptor that is used again and again is better rested than cancelled: what is given back
    /// and taken again within one turn costs no system call. Resting is for descriptors that stay
    /// open, so cancel before you close. Call it on the loop. After ``cancel()`` it does nothing.
    ///
    /// - Throws: ``DescriptorError`` when the kernel can't watch the descriptor any more; the
    ///   interest is then what it was.
    public func setInterest(_ interest: Readiness) throws(DescriptorError) {
        try loop?.onLoop.setInterest(interest, of: identifier)
    }

    /// Ends the watch, from any thread; cancelling twice does nothing.
    ///
    /// Called on the loop, the action does not run any more, even if the descriptor was found ready
    /// in this very turn. Called from another thread, an action that has begun goes on.
    public func cancel() {
        loop?.remove { [identifier] in $0.removeWatcher(identifier) }
    }
}
