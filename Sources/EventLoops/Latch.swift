private import Dispatch
private import Synchronization

/// Something that happens once, and that threads can wait for.
package final class Latch: Sendable {
    private let group = DispatchGroup()
    private let isOpen = Atomic(false)

    /// Makes a latch that is closed.
    package init() {
        group.enter()
    }

    deinit {
        // A group must not go away while somebody has entered it.
        open()
    }

    /// Lets everybody through, now and later.
    package func open() {
        if !isOpen.exchange(true, ordering: .acquiringAndReleasing) { group.leave() }
    }

    /// Blocks the calling thread until the latch is open.
    package func wait() {
        group.wait()
    }
}
