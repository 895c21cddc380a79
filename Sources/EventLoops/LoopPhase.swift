/// Where a loop is in its turn, as its observers hear it.
///
/// One turn is `jobs`, `wait`, `dispatch`, `flush`, in this order and on the loop's thread. Each is
/// told as the phase begins.
public enum LoopPhase: Hashable, Sendable {
    /// The loop begins to turn: `start()` or `run()` was called.
    case entry

    /// Jobs that other threads and the last turn handed over are about to run.
    case jobs(count: Int)

    /// The loop is about to wait for readiness, a timer or a wake-up; `blocking` is false when
    /// there is already something to do.
    case wait(blocking: Bool)

    /// The wait is over: watchers of ready descriptors and timers that are due are about to run.
    case dispatch(watchers: Int, timers: Int)

    /// What was gathered during the turn is about to be handed on.
    case flush(count: Int)

    /// The loop has stopped turning; `start()` or `run()` goes on with it.
    case exit
}
