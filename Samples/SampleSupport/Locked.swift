private import Foundation

/// A value that threads share, one at a time.
///
/// Synchronization's Mutex would do as well, but for the thread sanitizer, which sees no order behind
/// a lock of it that two threads wanted at once.
public final class Locked<Value>: @unchecked Sendable {
    // Guarded by the lock.
    private var value: Value
    private let lock = NSLock()

    /// Puts a value behind a lock.
    public init(_ value: Value) {
        self.value = value
    }

    /// Runs `body` with the value while no other thread has it.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
