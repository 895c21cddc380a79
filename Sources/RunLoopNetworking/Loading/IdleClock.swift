/// Decides when a load has been idle for too long.
///
/// NSURLRequest's timeoutInterval is the time without any activity, not the time for the whole
/// (https://developer.apple.com/documentation/foundation/nsurlrequest/timeoutinterval). It does not
/// run before the load has begun, nor while the delegate is what the load waits for.
struct IdleClock {
    /// What a load may wait for that is not the network.
    struct Wait: OptionSet {
        let rawValue: Int

        /// The delegate, which is to answer or to catch up.
        static let delegate = Wait(rawValue: 1)
        /// The body stream, which has nothing yet.
        static let body = Wait(rawValue: 2)
    }

    private let interval: Duration?
    private var lastActivity: ContinuousClock.Instant?
    private var waits: Wait = []

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

    /// The load waits for something else than the network.
    mutating func suspend(_ wait: Wait = .delegate) {
        waits.insert(wait)
    }

    /// What it waited for has come; it may still wait for another.
    mutating func resume(_ wait: Wait = .delegate, at now: ContinuousClock.Instant) {
        waits.remove(wait)
        lastActivity = now
    }

    /// How things stand.
    func verdict(at now: ContinuousClock.Instant) -> Verdict {
        guard let interval, let lastActivity, waits.isEmpty else { return .rest }
        let deadline = lastActivity + interval
        return deadline <= now ? .expired : .wait(deadline - now)
    }
}
