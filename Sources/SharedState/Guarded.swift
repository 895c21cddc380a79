public import Synchronization

/// A value that threads share, one at a time: a mutex that the thread sanitizer can see.
///
/// The slow path of Synchronization's Mutex, taken when two threads want it at once, lies in a
/// library that is not built for the sanitizer. There it misses that one thread came after the other,
/// and reports a race for each contended lock. The acquiring load and the releasing store say the
/// same where it can see them; outside the sanitizer they are two moves.
///
/// Its body is seen by whoever calls it (`@inlinable`, which works across targets for public declarations
/// only): called as it is, each lock would look up the types of its value at run time.
@frozen
public struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let handedOn = Atomic(false)

    /// Puts a value under guard; whoever makes it gives it up.
    @inlinable
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` with the value while no other thread has it.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            _ = handedOn.load(ordering: .acquiring)
            defer { handedOn.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}
