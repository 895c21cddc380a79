/// How many bytes of a paced body are due at which time.
struct Pacing {
    private let bytesPerSecond: Int64
    private let start: ContinuousClock.Instant
    private var sent: Int64 = 0

    /// How often to look: every 20 ms, or once for each byte where bytes are rarer.
    let interval: Duration

    init(bytesPerSecond: Int64, start: ContinuousClock.Instant) {
        self.bytesPerSecond = bytesPerSecond
        self.start = start
        interval = max(.milliseconds(20), .seconds(1) / Int(bytesPerSecond))
    }

    /// How many bytes are due at `now`, besides those that were sent.
    func due(at now: ContinuousClock.Instant) -> Int64 {
        let seconds = (now - start) / .seconds(1)
        let total = Int64(exactly: (seconds * Double(bytesPerSecond)).rounded(.down)) ?? .max
        return max(0, total - sent)
    }

    /// Notes that so many bytes are on their way.
    mutating func send(_ count: Int64) {
        sent += count
    }
}
