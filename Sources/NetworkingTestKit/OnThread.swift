private import Foundation

/// Runs something on a thread of its own, which may block or run its run loop.
@discardableResult
package func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    let ended = Gate()
    let outcome = Outcome<Result>()
    Thread.detachNewThread {
        outcome.result = Swift.Result(catching: body)
        ended.open()
    }
    try await ended.opened()
    guard let result = outcome.result else { preconditionFailure("the thread left no result") }
    return try result.get()
}

/// Written by one thread before a gate opens, read by another behind it.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
    var result: Result<Value, any Error>?
}
