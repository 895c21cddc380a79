import EventLoops
import Testing

/// A loop that turns, and whose time goes by, only when a test says so.
struct ManualLoop {
    let clock: ManualClock
    let loop: EventLoop

    init() {
        clock = ManualClock()
        loop = EventLoop(name: "manual", clock: clock)
    }

    func turn() {
        loop.turnOnce()
    }

    /// Lets time go by, then turns once.
    func turn(after duration: Duration) {
        clock.advance(by: duration)
        loop.turnOnce()
    }

    /// Turns once, with `job` among its jobs.
    @discardableResult
    func turn<Value>(_ job: () throws -> Value) throws -> Value {
        try withoutActuallyEscaping(job) { job in
            // The turn below runs the job on this very thread.
            nonisolated(unsafe) let job = job
            nonisolated(unsafe) var result: Result<Value, any Error>?
            loop.perform { unsafe result = Result { try unsafe job() } }
            loop.turnOnce()
            return try #require(unsafe result).get()
        }
    }
}
