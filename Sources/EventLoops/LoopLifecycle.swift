/// Whether a loop turns, and what its starts and stops lead to.
///
/// A value that decides; ``EventLoop`` acts. One method for each thing that can happen.
///
///     idle ──start, run──► turning ──stop──► stopping ──turn ends──► idle
///       └──────────────────── shutDown ────────────────► closing ──► closed
struct LoopLifecycle {
    /// Whose thread turns the loop.
    enum Runner: Hashable {
        /// A thread that `start()` made.
        case ownThread
        /// The thread that called `run()`.
        case caller
    }

    enum State: Hashable {
        case idle
        case turning(Runner)
        case stopping(Runner, startAgain: Bool)
        case closing
        case closed
    }

    private(set) var state = State.idle

    /// Whether `start()` or `run()` was ever called.
    private(set) var hasBegun = false

    /// Whether nothing will be run any more.
    var isClosed: Bool { state == .closed }

    /// Whether another turn follows the one that is under way.
    var goesOn: Bool {
        switch state {
        case .turning, .stopping(.ownThread, startAgain: true): true
        case .idle, .stopping, .closing, .closed: false
        }
    }

    /// Whether the loop turns, or is in its last turn before a stop.
    var isTurning: Bool {
        switch state {
        case .turning, .stopping, .closing: true
        case .idle, .closed: false
        }
    }
}

// MARK: - From outside

extension LoopLifecycle {
    enum StartAction: Equatable {
        case makeThread
        case alreadyTurning
        /// The stop that is under way will be followed by this start.
        case follows
        case refuse
    }

    /// `start()` was called.
    mutating func start() -> StartAction {
        switch state {
        case .idle:
            hasBegun = true
            state = .turning(.ownThread)
            return .makeThread
        case .turning:
            return .alreadyTurning
        case .stopping(let runner, _):
            state = .stopping(runner, startAgain: true)
            return .follows
        case .closing, .closed:
            return .refuse
        }
    }

    enum RunAction: Equatable {
        case turn
        /// Wait until the stop that is under way has ended, then ask again.
        case waitForStop
        case refuseTurning
        case refuseClosed
    }

    /// `run()` was called.
    mutating func run() -> RunAction {
        switch state {
        case .idle:
            hasBegun = true
            state = .turning(.caller)
            return .turn
        case .turning, .stopping(_, startAgain: true):
            return .refuseTurning
        case .stopping(_, startAgain: false):
            return .waitForStop
        case .closing, .closed:
            return .refuseClosed
        }
    }

    /// Somebody off the loop has something to take out of it; returns whether nobody turns the loop.
    ///
    /// Then the caller does it, as in a run that was stopped before its first turn.
    mutating func visit() -> Bool {
        guard state == .idle else { return false }
        state = .stopping(.caller, startAgain: false)
        return true
    }

    enum StopAction: Equatable {
        case wake
        case nothing
    }

    /// `stop()` was called.
    mutating func stop() -> StopAction {
        switch state {
        case .turning(let runner), .stopping(let runner, startAgain: true):
            state = .stopping(runner, startAgain: false)
            return .wake
        case .idle, .stopping, .closing, .closed:
            return .nothing
        }
    }

    enum ShutDownAction: Equatable {
        /// Nobody turns the loop: the caller closes it.
        case closeHere
        /// Whoever turns the loop closes it.
        case wakeAndWait
        /// Somebody is at it.
        case wait
        case nothing
    }

    /// `shutDown()` was called.
    mutating func shutDown() -> ShutDownAction {
        switch state {
        case .idle:
            state = .closing
            return .closeHere
        case .turning, .stopping:
            state = .closing
            return .wakeAndWait
        case .closing:
            return .wait
        case .closed:
            return .nothing
        }
    }
}

// MARK: - From the thread that turns the loop

extension LoopLifecycle {
    /// Whether the loop goes on with another turn.
    mutating func turnBegins() -> Bool {
        switch state {
        case .turning:
            return true
        case .stopping(.ownThread, startAgain: true):
            state = .turning(.ownThread)
            return true
        case .stopping, .closing:
            return false
        case .idle, .closed:
            preconditionFailure("a turn begins on a loop that nobody turns")
        }
    }

    /// The deadline of `run(until:)` has passed.
    mutating func deadlinePassed() {
        if case .turning(.caller) = state { state = .stopping(.caller, startAgain: false) }
    }

    enum EndAction: Equatable {
        case nothing
        /// Go on at once on a thread of the loop's own.
        case makeThread
        case close
    }

    /// The thread has left the loop: whoever is told of it next may turn it.
    mutating func turnsEnded() -> EndAction {
        switch state {
        case .stopping(_, startAgain: false):
            state = .idle
            return .nothing
        case .stopping(_, startAgain: true):
            state = .turning(.ownThread)
            return .makeThread
        case .closing:
            return .close
        case .turning, .idle, .closed:
            preconditionFailure("a thread left a loop that was not told to stop")
        }
    }

    /// Everything that was unfinished has been told so.
    mutating func closeEnded() {
        precondition(state == .closing, "a loop was closed that nobody shut down")
        state = .closed
    }
}
