private import EventLoops
internal import Foundation

/// A place in one mode of one run loop: it keeps the run loop running, and can call a handler there.
///
/// It is a source of the run loop. It is performed only while the run loop runs in the mode, and
/// `run(mode:before:)` returns after it was performed, as it does after a delegate message on Apple's
/// systems. On Linux, signalling a source does not wake the run loop: that is done apart.
final class RunLoopPlace: @unchecked Sendable {
    // Constants and a guarded value; Foundation's objects are called only in ways that CFRunLoop
    // guards by its own lock: adding, invalidating and signalling a source, and adding a timer.
    private let runLoop: RunLoop
    private let mode: RunLoop.Mode
    private let source: Source

    /// Nil while the place belongs to another thread that has not yet been met.
    private let handle: Guarded<RunLoopHandle?>

    init(_ runLoop: RunLoop, _ mode: RunLoop.Mode, handler: @escaping @Sendable () -> Void) {
        self.runLoop = runLoop
        self.mode = mode
        source = Source(handler)
        handle = Guarded(RunLoopHandle(runLoop))
    }

    /// Whether this is the place in that mode of that run loop.
    func `is`(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Bool {
        self.runLoop === runLoop && self.mode == mode
    }

    /// Takes the place.
    func attach() {
        runLoop._add(source, forMode: mode)
        wake()
    }

    /// Asks for a call of the handler, from any thread; several calls may become one.
    func signal() {
        source.signal()
        wake()
    }

    /// Leaves the place for good.
    func detach() {
        source.invalidate()
        // A run loop that sleeps does not notice by itself that it has nothing left to wait for.
        wake()
    }

    private func wake() {
        if let handle = handle.withLock({ $0 }) { return handle.wake() }
        // A timer that is due wakes a run loop whose handle is not known, and fetches the handle. It
        // is done once for each run loop: Foundation on Linux never frees a timer.
        let timer = Timer(timeInterval: 0, repeats: false) { [weak self] _ in
            let met = RunLoopHandle.meetCurrent()
            self?.handle.withLock { $0 = met }
        }
        runLoop.add(timer, forMode: mode)
    }

    private final class Source: RunLoop._Source {
        private let handler: @Sendable () -> Void

        init(_ handler: @escaping @Sendable () -> Void) {
            self.handler = handler
            super.init()
        }

        override func perform() {
            handler()
        }
    }
}
