internal import EventLoops

/// Gives memory back to the system after a burst of transfers.
///
/// What thousands of transfers have freed stays with the process otherwise: the allocator keeps it for
/// the next burst. Loop affinity.
struct MemoryTrimmer {
    /// How many transfers at once make a burst.
    private static let burst = 1000

    private var most = 0
    private var timer: LoopTimer?

    /// The number of transfers has changed; `trim` is called when a burst has been over for a second.
    mutating func transfersChanged(
        to count: Int,
        on loop: EventLoop,
        trim: @escaping () -> Void
    ) {
        most = max(most, count)
        if count > 0 {
            timer = nil
        } else if most >= Self.burst {
            most = 0
            timer = loop.timer(after: .seconds(1), trim)
        }
    }
}
