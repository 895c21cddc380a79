private import Synchronization

/// The numbers of the connections of this process.
enum ConnectionNumber {
    private static let last = Atomic(0)

    /// A number that no other connection has; any thread.
    static func next() -> Int {
        last.add(1, ordering: .relaxed).newValue
    }
}
