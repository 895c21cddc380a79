internal import Synchronization

/// A thread's loop: it waits for descriptors, timers and jobs, and runs what is due.
///
/// One turn of the loop, always in this order:
///
///     ┌──► 1 jobs       what other threads handed over
///     │    2 wait       sleep until a descriptor is ready, a timer is due, or somebody wakes the loop
///     │    3 dispatch   run the watchers of ready descriptors, then the timers that are due
///     └─── 4 flush      hand on what this turn gathered
///
/// ``turn(until:)`` reads as this picture. ``start()`` turns the loop on a thread of its own, ``run()``
/// on the calling thread; ``stop()`` ends either after the turn that is under way, and what is
/// registered stays for the next start. ``shutDown()`` ends it for good.
///
/// ```swift
/// let loop = EventLoop(name: "example")
/// loop.perform(after: .seconds(1)) { loop.stop() }
/// loop.run()
/// ```
///
/// Any thread may call ``perform(_:)``, ``start()``, ``stop()`` and ``shutDown()``. Everything else is
/// called on the loop, which ``preconditionIsCurrent()`` checks. A loop that turns keeps itself alive.
public final class EventLoop: Sendable {
    /// What threads share.
    struct Shared {
        var lifecycle = LoopLifecycle()
        var jobs: [@Sendable () -> Void] = []
        /// Whether the loop has been woken and has not yet taken the jobs.
        var isWoken = false
        /// What other layers keep with the loop.
        var attachments: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        var session: Session?

        /// A caller's thread takes the loop; the loop's own, if it had one, is still to be joined.
        mutating func beginSession(_ ended: Latch) {
            session = Session(thread: session?.thread, ended: ended)
        }
    }

    /// The name of the loop, and of its thread as far as the kernel keeps it (15 bytes).
    public let name: String

    let clock: any LoopClock
    let wake: WakeDescriptor

    /// Guarded.
    let shared = Guarded(Shared())

    /// The thread that turns the loop, or 0 while nobody does.
    private let runner = Atomic<UInt>(0)

    // Loop affinity: reached only through `onLoop`, which checks the thread, and by `deinit`.
    private nonisolated(unsafe) let contents: LoopContents

    private let closed = Latch()

    /// Makes a loop that does not turn yet.
    ///
    /// - Parameter name: What the loop's thread is called in a debugger; the kernel keeps 15 bytes.
    public convenience init(name: String = "event loop") {
        self.init(name: name, clock: SystemClock())
    }

    /// Makes a loop that takes its time from `clock`.
    package init(name: String, clock: any LoopClock) {
        self.name = name
        self.clock = clock
        wake = WakeDescriptor()
        unsafe contents = LoopContents(now: clock.now, wake: wake)
    }

    deinit {
        unsafe contents.removeAll()
    }

    /// The time of this turn; it moves when a wait ends.
    ///
    /// Call it on the loop.
    public var now: ContinuousClock.Instant { onLoop.now }

    /// libevent's base, for a layer that registers with it by itself, as evhttp does.
    ///
    /// What is registered there is called during the wait. Call it on the loop.
    package var base: EventBase { onLoop.base }
}

// MARK: - The turn

extension EventLoop {
    /// One turn of the loop: jobs, wait, dispatch, flush.
    private func turn(until deadline: ContinuousClock.Instant?) {
        let loop = onLoop

        // 1 jobs
        runJobs()

        // 2 wait
        var blocking = setAlarm(noLaterThan: deadline)
        if !loop.observers.isEmpty {
            tell(.wait(blocking: blocking))
            // Asked again: an observer may have stopped the loop, or handed it a job.
            blocking = setAlarm(noLaterThan: deadline)
        }
        let active = loop.wait(blocking: blocking)
        loop.now = clock.now

        // 3 dispatch
        tell(.dispatch(watchers: active.count, timers: countDueTimers()))
        for (event, readiness) in active { dispatch(readiness, to: event) }
        fireDueTimers()

        // 4 flush
        tell(.flush(count: loop.flushes.count))
        flush()
    }
}

// MARK: - Start and stop

extension EventLoop {
    /// Turns the loop on a thread of its own, and returns when that thread runs.
    ///
    /// Starting a loop that turns does nothing. Starting one that was told to stop, before it
    /// has, takes the stop back. Starting one that was shut down stops the program. Any thread.
    public func start() {
        let action = shared.withLock { shared in
            let action = shared.lifecycle.start()
            if action == .makeThread { makeThread(&shared) }
            return action
        }
        precondition(action != .refuse, "this loop was shut down; make a new EventLoop")
    }

    /// Starts the loop unless its owner has ever started it, run it or shut it down.
    package func startUnlessBegun() {
        shared.withLock { shared in
            guard !shared.lifecycle.hasBegun, !shared.lifecycle.isClosed else { return }
            if shared.lifecycle.start() == .makeThread { makeThread(&shared) }
        }
    }

    /// Turns the loop on the calling thread until somebody calls ``stop()`` or ``shutDown()``.
    ///
    /// A stop that is under way on another thread is waited for. The program stops when the loop
    /// turns already, or was shut down: only one thread can turn a loop.
    public func run() {
        run(deadline: nil)
    }

    /// Turns the loop on the calling thread until `deadline`, or until it is stopped.
    ///
    /// The turn in which the deadline passes is finished. See ``run()``.
    public func run(until deadline: ContinuousClock.Instant) {
        run(deadline: deadline)
    }

    /// Turns the loop once on the calling thread, without waiting; for loops turned by hand.
    ///
    /// The program stops as in ``run()``.
    package func turnOnce() {
        run(deadline: clock.now)
    }

    /// Ends the wait of a loop that turns, so that it looks at its clock again; any thread.
    package func wakeUp() {
        if !isCurrent, shared.withLock({ $0.lifecycle.isTurning }) { wake.signal() }
    }

    /// Ends the loop after the turn that is under way, from any thread and from inside a callback.
    ///
    /// It does not wait for the end. What is registered stays, and so do jobs that have not begun:
    /// ``start()`` or ``run()`` goes on with them. Stopping a loop that does not turn does nothing.
    public func stop() {
        if shared.withLock({ $0.lifecycle.stop() }) == .wake, !isCurrent { wake.signal() }
    }

    /// Ends the loop for good.
    ///
    /// Jobs that wait are run, every unfinished connection fails, watchers and timers are let go of,
    /// and the loop's own thread is joined before this returns. Called on the loop, it returns at
    /// once, and the loop ends after the turn that is under way. The second call waits for the first.
    public func shutDown() {
        let (action, session) = shared.withLock { ($0.lifecycle.shutDown(), $0.session) }
        switch action {
        case .closeHere:
            asRunner { close() }
        case .wakeAndWait, .wait:
            if isCurrent { return }
            wake.signal()
        case .nothing:
            // What the loop let go of may call this, on the thread that closes it.
            if isCurrent { return }
        }
        closed.wait()
        session?.thread?.join()
    }
}

// MARK: - The thread that turns the loop

extension EventLoop {
    /// Whether the calling thread is the one that turns this loop.
    public var isCurrent: Bool {
        runner.load(ordering: .relaxed) == ThreadIdentity.current.rawValue
    }

    /// Stops the program unless it is called on the loop.
    public func preconditionIsCurrent() {
        precondition(
            isCurrent,
            "call this on the loop's own thread: loop.perform { … }"
        )
    }

    /// What only the loop's thread touches.
    var onLoop: LoopContents {
        preconditionIsCurrent()
        return unsafe contents
    }

    private func run(deadline: ContinuousClock.Instant?) {
        precondition(!isCurrent, "run() was called inside a callback of the same loop")
        while true {
            let ended = Latch()
            let (action, previous) = shared.withLock { shared in
                let previous = shared.session
                let action = shared.lifecycle.run()
                if action == .turn { shared.beginSession(ended) }
                return (action, previous)
            }
            switch action {
            case .turn:
                return turnUntilStopped(deadline: deadline, ended)
            case .waitForStop:
                previous?.ended.wait()
            case .refuseTurning:
                preconditionFailure("another thread turns this loop; stop() it first")
            case .refuseClosed:
                preconditionFailure("this loop was shut down; make a new EventLoop")
            }
        }
    }

    /// Call it with the lock held: whoever looks next finds the thread.
    private func makeThread(_ shared: inout Shared) {
        let ended = Latch()
        let thread = LoopThread(name: name) { self.turnUntilStopped(deadline: nil, ended) }
        shared.session = Session(thread: thread, ended: ended)
    }

    private func turnUntilStopped(deadline: ContinuousClock.Instant?, _ ended: Latch) {
        asRunner {
            tell(.entry)
            while shared.withLock({ $0.lifecycle.turnBegins() }) {
                turn(until: deadline)
                if let deadline, clock.now >= deadline {
                    shared.withLock { $0.lifecycle.deadlinePassed() }
                }
            }
            tell(.exit)
        }
        leave(ended)
    }

    /// Runs `body` on a loop that nobody turns; returns false when somebody does.
    func visit(_ body: (LoopContents) -> Void) -> Bool {
        let ended = Latch()
        let isIdle = shared.withLock { shared in
            guard shared.lifecycle.visit() else { return false }
            shared.beginSession(ended)
            return true
        }
        guard isIdle else { return false }
        asRunner { body(onLoop) }
        leave(ended)
        return true
    }

    /// The calling thread turns the loop no more.
    private func leave(_ ended: Latch) {
        // From here on another thread may turn the loop: this one touches nothing of it any more.
        let action = shared.withLock { shared in
            let action = shared.lifecycle.turnsEnded()
            if action == .makeThread { makeThread(&shared) }
            return action
        }
        if action == .close { asRunner { close() } }
        ended.open()
    }

    private func asRunner(_ body: () -> Void) {
        runner.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
        body()
        runner.store(0, ordering: .relaxed)
    }

    /// A function of its own: what a job holds is let go of before the loop waits.
    private func runJobs() {
        let jobs = takeJobs()
        tell(.jobs(count: jobs.count))
        for job in jobs { job() }
    }

    /// Runs what waits, lets every layer end what it has begun, and refuses what comes later.
    private func close() {
        let loop = onLoop
        var isClosed = false
        var rounds = 0
        while !isClosed {
            for job in takeJobs() { job() }
            let closings = loop.closings
            loop.closings = []
            for closing in closings { closing() }
            flush()
            rounds += 1
            // A job that always hands over the next one would keep the loop open for ever.
            let isPatient = rounds < 100
            isClosed = shared.withLock { shared in
                let isDone = shared.jobs.isEmpty && loop.flushes.isEmpty && loop.closings.isEmpty
                if isPatient, !isDone { return false }
                shared.lifecycle.closeEnded()
                return true
            }
        }
        loop.removeAll()
        let leftOver = shared.withLock { shared in
            let leftOver = (shared.jobs, shared.attachments)
            shared.jobs = []
            shared.attachments = [:]
            return leftOver
        }
        // Released outside the lock: what goes away may call the loop.
        withExtendedLifetime(leftOver) {}
        closed.open()
    }
}
