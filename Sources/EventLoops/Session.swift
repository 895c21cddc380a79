/// One time that a loop turns, from its start to its stop.
final class Session: Sendable {
    /// The loop's own thread: the one that turns it, or that did before a caller of `run()`.
    let thread: LoopThread?

    /// Opened when the last turn has ended.
    let ended: Latch

    init(thread: LoopThread?, ended: Latch) {
        self.thread = thread
        self.ended = ended
    }
}
