private import CLibevent
private import Glibc

/// A thread of its own for a loop.
///
/// Foundation's Thread can't be joined; this one is joined exactly once, by ``join()``, or else
/// given back to the system by `deinit`.
final class LoopThread: Sendable {
    /// Nil before the thread began and once somebody joins it.
    private let handle: Guarded<pthread_t?> = Guarded(nil)

    private let joined = Latch()

    /// What the new thread needs; retained for it, and taken over by it.
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Begins a thread that calls `run` and ends.
    init(name: String, run: @escaping @Sendable () -> Void) {
        let body = unsafe Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                unsafe shim_thread_setName(body.name)
                body.run()
                return nil
            },
            body.toOpaque()
        )
        precondition(result == 0, "pthread_create failed with \(result): too many threads?")
        handle.withLock { [thread] in $0 = thread }
    }

    deinit {
        if let thread = takeHandle() { pthread_detach(thread) }
    }

    /// Waits until the thread has ended, which any number of other threads may do.
    func join() {
        guard let thread = takeHandle() else { return joined.wait() }
        precondition(thread != pthread_self(), "a loop's thread can't wait for its own end")
        pthread_join(thread, nil)
        joined.open()
    }

    private func takeHandle() -> pthread_t? {
        handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
    }
}
