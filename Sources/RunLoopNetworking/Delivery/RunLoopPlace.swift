internal import Foundation

/// A place in one mode of one run loop: it keeps the run loop running, and can call a handler there.
///
/// Two things stand at the place, for each does half of the work on Linux:
/// - a source of the run loop. It is performed only while the run loop runs in the mode, and
///   `run(mode:before:)` returns after it was performed, as it does after a delegate message on
///   Apple's systems. But signalling it from another thread does not wake the run loop.
/// - a timer that never fires by itself. Setting its date to the past, from any thread, wakes the
///   run loop.
final class RunLoopPlace: @unchecked Sendable {
    // Constants; Foundation's objects are called only in ways that CFRunLoop guards by its own lock:
    // adding, removing, invalidating, signalling, and setting a timer's date.
    private let runLoop: RunLoop
    private let mode: RunLoop.Mode
    private let source: Source
    private let timer: Timer

    init(_ runLoop: RunLoop, _ mode: RunLoop.Mode, handler: @escaping @Sendable () -> Void) {
        self.runLoop = runLoop
        self.mode = mode
        source = Source(handler)
        timer = Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }
    }

    /// Whether this is the place in that mode of that run loop.
    func `is`(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Bool {
        self.runLoop === runLoop && self.mode == mode
    }

    /// Takes the place.
    func attach() {
        runLoop._add(source, forMode: mode)
        runLoop.add(timer, forMode: mode)
    }

    /// Asks for a call of the handler, from any thread; several calls may become one.
    func signal() {
        source.signal()
        timer.fireDate = .distantPast
    }

    /// Leaves the place for good.
    func detach() {
        source.invalidate()
        timer.invalidate()
        // A run loop that sleeps does not notice that it has nothing left to wait for.
        runLoop.add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: mode)
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
