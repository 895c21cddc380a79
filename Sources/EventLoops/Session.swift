/// One time that a loop turns, from its start to its stop.
final class Session: Sendable {
    /// The loop's own thread, or nil when the caller of `run()` turns the loop.
    let thread: LoopThread?

    /// Opened when the last turn has ended.
    let ended: Latch

    init(thread: LoopThread?, ended: Latch = Latch()) {
        self.thread = thread
        self.ended = ended
    }
}
