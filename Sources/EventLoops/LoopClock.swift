/// What a loop takes the time from.
///
/// A loop asks once a turn, after its wait: everything in one turn happens at one moment.
package protocol LoopClock: Sendable {
    /// The time that counts for timers.
    var now: ContinuousClock.Instant { get }

    /// Whether time goes by while the loop waits.
    ///
    /// False for a clock that a test moves by hand: the loop then sets no alarm for its timers, and
    /// sleeps until something else wakes it. Call ``EventLoop/wakeUp()`` when the clock was moved.
    var runsByItself: Bool { get }
}

/// The clock of the machine, which also counts while it sleeps.
struct SystemClock: LoopClock {
    var now: ContinuousClock.Instant { .now }
    var runsByItself: Bool { true }
}
