package import Foundation

/// A thread whose run loop runs in the default mode until it is told to stop.
package final class RunningThread: @unchecked Sendable {
    // Written before `ready` opens, and constant from then on.
    /// The thread.
    package private(set) var thread = ThreadNumber.current
    /// Its run loop.
    package private(set) var runLoop = RunLoop.main
    private let stopped = Gate()
    private let ended = Gate()

    /// Starts the thread.
    package init() throws {
        let ready = Gate()
        Thread.detachNewThread { [self] in
            thread = .current
            runLoop = .current
            // Keeps the run loop running, and asleep.
            let keepAlive = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
            RunLoop.current.add(keepAlive, forMode: .default)
            ready.open()
            while !stopped.isOpen {
                _ = RunLoop.current.run(mode: .default, before: .distantFuture)
            }
            ended.open()
        }
        try ready.wait()
    }

    /// Ends the thread, and waits for it.
    package func stop() async throws {
        stopped.open()
        let pass = Timer(timeInterval: 0, repeats: false) { _ in RunLoop.current._stop() }
        runLoop.add(pass, forMode: .default)
        try await ended.opened()
    }
}
