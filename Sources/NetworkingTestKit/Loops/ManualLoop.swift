private import Dispatch
public import EventLoops

/// A loop whose time goes by when a test says so, and that turns when a test says so.
///
/// Timers, their order, and the idle time-outs of connections are tested without waiting for them:
///
/// ```swift
/// let manual = ManualLoop()
/// manual.loop.perform(after: .seconds(3_600)) { print("an hour later") }
/// manual.turn()                       // takes the job
/// manual.turn(after: .seconds(3_600)) // prints
/// ```
///
/// There are two ways to use it. Turned by hand, everything happens on the calling thread inside
/// ``turn()`` and its like. Or ``loop`` is started, or run, as any loop is: then it sleeps until a
/// descriptor is ready, a job comes, or ``advance(by:)`` moves its clock, however much time goes by on
/// the machine.
///
/// The clock is the loop's alone. libcurl's own limits, such as the one for connecting, go by the
/// machine's clock, and the pauses of a ``ScriptedServer`` do. Any thread may call ``advance(by:)``.
public struct ManualLoop: Sendable {
    /// The loop; give it to a connection, start it, observe it.
    ///
    /// A loop that was started is shut down as any other, by `shutDown()`.
    public let loop: EventLoop

    private let clock = ManualClock()

    /// Makes a loop that does not turn, at a time that stands still.
    public init(name: String = "manual loop") {
        loop = EventLoop(name: name, clock: clock)
    }
}

// MARK: - Time

extension ManualLoop {
    /// What time it is; any thread.
    public var now: ContinuousClock.Instant { clock.now }

    /// Lets time go by, from any thread and also from inside a callback.
    ///
    /// A loop that was started wakes up, and fires what is due. One that is turned by hand does so in
    /// its next turn. The program stops when the duration is negative.
    public func advance(by duration: Duration) {
        clock.advance(by: duration)
        loop.wakeUp()
    }
}

// MARK: - Turning by hand

extension ManualLoop {
    /// Turns the loop once on the calling thread, without waiting.
    ///
    /// The program stops when the loop turns already, on this thread or another one, and when it was
    /// shut down.
    public func turn() {
        loop.turnOnce()
    }

    /// Lets time go by, then turns once; see ``turn()``.
    public func turn(after duration: Duration) {
        advance(by: duration)
        turn()
    }

    /// Turns once, with `job` among the turn's jobs, and returns what it returns; see ``turn()``.
    ///
    /// The rest of the turn takes place also when the job throws.
    ///
    /// - Throws: What the job throws.
    @discardableResult
    public func turn<Value, Failure: Error>(
        _ job: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = withoutActuallyEscaping(job) { job in
            // The turn below runs the job on this very thread.
            nonisolated(unsafe) let job = job
            // As is this.
            nonisolated(unsafe) var result: Result<Value, Failure>?
            loop.perform { unsafe result = Result { () throws(Failure) in try unsafe job() } }
            turn()
            return unsafe result
        }
        guard let result else { preconditionFailure("a turn left out one of its jobs") }
        return try result.get()
    }

    /// Turns on the calling thread, sleeping where there is nothing to do, until something is right.
    ///
    /// It is asked before the wait of each turn, on the calling thread. So it is to ask for what the
    /// loop changes: a connection whose delivery is `.onLoop`, say. What another thread changes is
    /// seen with the next turn only. A stop from inside a callback does not end it. The clock stands
    /// still meanwhile. The program stops as in ``turn()``.
    ///
    /// - Parameters:
    ///   - limit: How long to go on, by the machine's clock.
    ///   - isRight: Whether to return.
    /// - Throws: ``WaitError`` when it takes longer than `limit`.
    public func turnUntil(limit: Duration = .patience, _ isRight: () -> Bool) throws {
        guard !isRight() else { return }
        let end = ContinuousClock.now + limit
        let alarm = DispatchWorkItem { [loop] in loop.wakeUp() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds, execute: alarm)
        defer { alarm.cancel() }
        withoutActuallyEscaping(isRight) { isRight in
            let observation = turn {
                loop.observe { phase in
                    guard case .wait = phase else { return }
                    if ContinuousClock.now >= end || isRight() { loop.stop() }
                }
            }
            defer { observation.cancel() }
            while ContinuousClock.now < end, !isRight() { loop.run() }
        }
        if !isRight() { throw WaitError("what the loop was turned for", limit: limit) }
    }
}
