import Testing

@testable import EventLoops

extension EventLoop {
    /// Runs `body` on a loop that turns on another thread, and waits for what it returns.
    func call<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let result = Guarded<Result<Value, any Error>?>(nil)
        let gate = Gate()
        perform {
            let outcome = Result { try body() }
            result.withLock { $0 = outcome }
            gate.open()
        }
        try #require(gate.opens(), "the loop does not turn")
        let outcome = result.withLock(\.self)
        return try #require(outcome).get()
    }

    /// Hands over a job that runs in a turn for which no wake-up is left.
    func performAwake(_ job: @escaping @Sendable () -> Void) {
        perform { self.perform(job) }
    }

    /// Runs the loop on a new thread; returns whether `run()` returns.
    func runReturns() -> Bool {
        returns { $0.run() }
    }

    /// Calls `body` on a new thread; returns whether it comes back.
    func returns(_ body: @escaping @Sendable (EventLoop) -> Void) -> Bool {
        let gate = Gate()
        let thread = LoopThread(name: "caller") {
            body(self)
            gate.open()
        }
        guard gate.opens() else { return false }
        thread.join()
        return true
    }
}
