private import Glibc

/// Tells when a thread has really ended, which is after everything it runs.
enum ThreadEnd {
    private final class Body: Sendable {
        let action: @Sendable () -> Void

        init(action: @escaping @Sendable () -> Void) {
            self.action = action
        }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { context in
            guard let context = unsafe context else { return }
            let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
            // So that whoever does not wait for the end goes on before it.
            for _ in 0..<1_000 { sched_yield() }
            body.action()
        }
        return key
    }()

    /// Runs `action` as the last thing that the calling thread does.
    static func ofCurrentThread(_ action: @escaping @Sendable () -> Void) {
        let body = unsafe Unmanaged.passRetained(Body(action: action))
        unsafe pthread_setspecific(key, body.toOpaque())
    }
}
