/// Keeps the number of bytes per second below a limit.
///
/// It is a bucket into which the limit's bytes drop each second, as many as it holds at most, and out of
/// which each piece is taken. A piece may take more than there is; the next one then has to wait until the
/// bucket is out of debt. So the pieces, whose size nobody can choose, need not be cut.
struct RateLimiter: Equatable, Sendable {
    /// The limit.
    let bytesPerSecond: Int64

    /// How many bytes the bucket holds: what may come at once after a rest.
    let capacity: Int64

    /// When the bucket is, or was, empty: later than now for a debt.
    private var emptyTime: ContinuousClock.Instant

    /// The latest time that was told: a clock that goes backwards adds nothing and takes nothing.
    private var time: ContinuousClock.Instant

    /// Makes a limiter whose bucket is full.
    ///
    /// The usual capacity is the bytes of a tenth of a second.
    init(bytesPerSecond: Int64, capacity: Int64? = nil, now: ContinuousClock.Instant) {
        precondition(bytesPerSecond > 0 && capacity ?? 0 >= 0, "give a limit above 0")
        self.bytesPerSecond = bytesPerSecond
        self.capacity = capacity ?? bytesPerSecond / 10
        time = now
        emptyTime = now
        emptyTime -= time(for: self.capacity)
    }

    /// Takes a piece that has come, and returns for how long nothing more is to be read.
    mutating func take(_ bytes: Int, now: ContinuousClock.Instant) -> Duration {
        time = max(time, now)
        // What would have dropped into a full bucket is lost.
        emptyTime = max(emptyTime, time - time(for: capacity)) + time(for: Int64(bytes))
        return max(.zero, emptyTime - time)
    }

    /// How long nothing is to be read from `now` on.
    func delay(now: ContinuousClock.Instant) -> Duration {
        max(.zero, emptyTime - max(time, now))
    }

    private func time(for bytes: Int64) -> Duration {
        .seconds(Double(bytes) / Double(bytesPerSecond))
    }
}
