private import Dispatch
private import EventLoops

/// A value that threads and tasks wait on until a change makes it right; any thread.
final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let isDue: @Sendable (Value) -> Bool
        /// Called once: true when the value is right, false when time is up.
        let resume: @Sendable (Bool) -> Void
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    /// Guarded.
    private let state: Guarded<State>

    init(_ value: Value) {
        state = Guarded(State(value: value))
    }

    /// The value as it is now.
    var value: Value { state.withLock { $0.value } }

    /// Changes the value and lets go on whoever waited for it to be like that.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, due) = state.withLock { state in
            let result = body(&state.value)
            let due = state.waiters.filter { $0.value.isDue(state.value) }
            for identifier in due.keys { state.waiters[identifier] = nil }
            return (result, due.values.map(\.resume))
        }
        // Outside the lock: whoever is resumed may look at the value.
        for resume in due { resume(true) }
        return result
    }

    /// Calls `resume` once: with true as soon as the value is right, with false when `limit` is up.
    func when(
        _ isDue: @escaping @Sendable (Value) -> Bool,
        limit: Duration?,
        then resume: @escaping @Sendable (Bool) -> Void
    ) {
        let identifier: Int? = state.withLock { state in
            guard !isDue(state.value) else { return nil }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = Waiter(isDue: isDue, resume: resume)
            return state.lastWaiter
        }
        guard let identifier else { return resume(true) }
        guard let limit else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds) { [weak self] in
            self?.state.withLock { $0.waiters.removeValue(forKey: identifier) }?.resume(false)
        }
    }

    /// Suspends the calling task until the value is right.
    ///
    /// - Throws: ``WaitError`` when `limit` is up before.
    func wait(
        for what: String,
        limit: Duration = .patience,
        until isDue: @escaping @Sendable (Value) -> Bool
    ) async throws {
        let isRight = await withCheckedContinuation { continuation in
            when(isDue, limit: limit, then: { continuation.resume(returning: $0) })
        }
        // Taking the lock once more lets the thread sanitizer see that the change came before: it
        // does not see into continuations and semaphores.
        _ = value
        if !isRight { throw WaitError(what, limit: limit) }
    }

    /// Blocks the calling thread until the value is right.
    ///
    /// - Throws: ``WaitError`` when `limit` is up before.
    func waitBlocking(
        for what: String,
        limit: Duration = .patience,
        until isDue: @escaping @Sendable (Value) -> Bool
    ) throws {
        let semaphore = DispatchSemaphore(value: 0)
        when(isDue, limit: nil, then: { _ in semaphore.signal() })
        let isRight = semaphore.wait(timeout: .now() + limit.seconds) == .success
        _ = value
        if !isRight { throw WaitError(what, limit: limit) }
    }
}

extension Duration {
    /// The duration as Dispatch wants it.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
