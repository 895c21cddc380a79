/// Which timer is due next: a heap of deadlines.
///
/// A value without a clock and without closures, so that tests can drive it by hand. Timers of
/// equal deadline come out in the order in which they were set. Setting and cancelling cost
/// O(log n); a cancelled timer's place in the heap is left behind and passed over later.
struct TimerQueue {
    /// Names one timer for as long as it is in the queue.
    typealias Identifier = Int

    private struct Place {
        let deadline: ContinuousClock.Instant
        let order: UInt64
        let identifier: Identifier

        func comes(before other: Place) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    private var heap: [Place] = []

    /// The order number of the one place that counts for each timer.
    private var valid: [Identifier: UInt64] = [:]
    private var lastOrder: UInt64 = 0

    /// How many timers wait.
    var count: Int { valid.count }

    /// How many places the heap has, those left behind included.
    var placeCount: Int { heap.count }

    /// When the next timer is due, or nil when none is set.
    var nextDeadline: ContinuousClock.Instant? {
        mutating get {
            dropLeftBehind()
            return heap.first?.deadline
        }
    }

    /// Sets a timer, or sets it anew.
    mutating func set(_ identifier: Identifier, deadline: ContinuousClock.Instant) {
        lastOrder += 1
        valid[identifier] = lastOrder
        heap.append(Place(deadline: deadline, order: lastOrder, identifier: identifier))
        siftUp(from: heap.count - 1)
        if heap.count > 64, heap.count > 2 * valid.count { compact() }
    }

    /// Takes a timer out; nothing happens when it is not in.
    mutating func cancel(_ identifier: Identifier) {
        valid[identifier] = nil
    }

    /// Where the queue stands now: timers that are set later have passed the mark.
    var mark: UInt64 { lastOrder }

    /// Takes out the first timer whose deadline is not after `now` and that was set before `mark`.
    ///
    /// A timer that sets itself again with no delay is past the mark: it runs in the next turn, and
    /// descriptors have their turn in between.
    mutating func popDue(
        at now: ContinuousClock.Instant,
        setBefore mark: UInt64
    ) -> (identifier: Identifier, deadline: ContinuousClock.Instant)? {
        dropLeftBehind()
        guard let first = heap.first, first.deadline <= now, first.order <= mark else {
            return nil
        }
        removeFirst()
        valid[first.identifier] = nil
        return (first.identifier, first.deadline)
    }

    /// How many timers are due at `now`.
    func countDue(at now: ContinuousClock.Instant) -> Int {
        heap.count { $0.deadline <= now && valid[$0.identifier] == $0.order }
    }
}

// MARK: - The heap

extension TimerQueue {
    private mutating func dropLeftBehind() {
        while let first = heap.first, valid[first.identifier] != first.order { removeFirst() }
    }

    private mutating func compact() {
        let kept = heap.filter { valid[$0.identifier] == $0.order }
        // A sorted array is a heap.
        heap = kept.sorted { $0.comes(before: $1) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown()
    }

    private mutating func siftUp(from index: Int) {
        var child = index
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].comes(before: heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let leftIsFirst = right >= heap.count || heap[left].comes(before: heap[right])
            let child = leftIsFirst ? left : right
            guard heap[child].comes(before: heap[parent]) else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
