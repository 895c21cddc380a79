package import EventLoops

/// Gives memory back to the system after a burst of loads.
///
/// What thousands of them have freed stays with the process otherwise: the allocator keeps it for
/// the next burst. Loop affinity.
package struct MemoryTrimmer {
    /// How many at once make a burst.
    private static let burst = 1000

    private var most = 0
    private var timer: LoopTimer?

    /// Makes a trimmer that has seen nothing yet.
    package init() {}

    /// The number has changed; memory goes back when a burst has been over for a second.
    package mutating func countChanged(to count: Int, on loop: EventLoop) {
        most = max(most, count)
        if count > 0 {
            timer = nil
        } else if most >= Self.burst {
            most = 0
            timer = loop.timer(after: .seconds(1)) { CurlLibrary.trimMemory() }
        }
    }
}
