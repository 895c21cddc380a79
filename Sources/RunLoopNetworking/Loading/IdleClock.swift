/// Decides when a load has been idle for too long.
///
/// NSURLRequest's timeoutInterval is the time without any activity, not the time for the whole
/// (https://developer.apple.com/documentation/foundation/nsurlrequest/timeoutinterval). It does not
/// run before the load has begun, nor while the delegate is what the load waits for.
struct IdleClock {
    private let interval: Duration?
    private var lastActivity: ContinuousClock.Instant?
    private var isSuspended = false

    /// What to do when the timer fires.
    enum Verdict: Equatable {
        /// Look again after so much time.
        case wait(Duration)
        /// Look again when there is something to wait for.
        case rest
        case expired
    }

    /// Makes a clock for an interval in seconds; one that is not positive never expires.
    init(seconds: Double) {
        // Beyond some centuries a Duration overflows.
        interval = seconds > 0 ? .seconds(min(seconds, 1e10)) : nil
    }

    /// The load waits for its turn, and begins to count with the next touch.
    mutating func rest() {
        lastActivity = nil
    }

    /// Something moved.
    mutating func touch(at now: ContinuousClock.Instant) {
        lastActivity = now
    }

    /// The load waits for the delegate.
    mutating func suspend() {
        isSuspended = true
    }

    /// The delegate has caught up.
    mutating func resume(at now: ContinuousClock.Instant) {
        isSuspended = false
        lastActivity = now
    }

    /// How things stand.
    func verdict(at now: ContinuousClock.Instant) -> Verdict {
        guard let interval, let lastActivity, !isSuspended else { return .rest }
        let deadline = lastActivity + interval
        return deadline <= now ? .expired : .wait(deadline - now)
    }
}
