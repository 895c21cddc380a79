internal import Synchronization

/// How many bytes wait for all the delegates of a loop together.
///
/// Each mailbox has a limit of its own; this one is for the sum, so that a thousand slow delegates
/// don't cost a thousand times as much. Any thread.
final class WaitingBytes: Sendable {
    private let count = Atomic(0)

    /// How many there are at this moment.
    var now: Int { count.load(ordering: .relaxed) }

    /// Adds bytes that are about to wait, unless that makes more than `limit`.
    ///
    /// Several threads at once may go beyond the limit by what each of them adds.
    func add(_ bytes: Int, limit: Int) -> Bool {
        guard count.load(ordering: .relaxed) + bytes <= limit else { return false }
        count.add(bytes, ordering: .relaxed)
        return true
    }

    /// Adds bytes whatever the limit is.
    func add(_ bytes: Int) {
        count.add(bytes, ordering: .relaxed)
    }

    /// Takes bytes out that wait no more.
    func remove(_ bytes: Int) {
        count.subtract(bytes, ordering: .relaxed)
    }
}
