/// A value that only its loop's thread touches; each look at it is checked.
///
/// This is what lets an object be handed between threads although part of it has loop affinity.
package struct LoopBound<Value> {
    private let value: Value
    private unowned let loop: EventLoop

    /// Binds a value to a loop; whoever makes it gives it up.
    package init(_ value: sending Value, to loop: EventLoop) {
        self.value = value
        self.loop = loop
    }

    /// The value, on the loop; elsewhere the program stops.
    package var onLoop: Value {
        loop.preconditionIsCurrent()
        return value
    }
}

// MARK: - Sendable

// The value is reached only through `onLoop`, which checks the thread.
extension LoopBound: @unchecked Sendable {}
