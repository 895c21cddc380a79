package import SharedState

/// A value that threads share, one at a time; see the type itself.
package typealias Guarded<Value: ~Copyable> = SharedState.Guarded<Value>
