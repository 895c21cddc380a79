private import CoreFoundation
private import EventLoops
internal import Foundation

/// CoreFoundation's run loop behind a RunLoop: what can wake it from another thread.
///
/// Foundation on Linux has no call for that: a block handed to a sleeping RunLoop from another
/// thread waits until something else wakes it.
@safe
// CFRunLoopWakeUp may be called from any thread.
struct RunLoopHandle: @unchecked Sendable {
    private let runLoop: CFRunLoop

    /// The handle of `runLoop` if it is the calling thread's, the main thread's, or one that was met.
    init?(_ runLoop: RunLoop) {
        if runLoop === RunLoop.main {
            self.init(runLoop: CFRunLoopGetMain())
        } else if runLoop === RunLoop.current {
            self.init(runLoop: CFRunLoopGetCurrent())
        } else if let met = MetRunLoop.handle(of: runLoop) {
            self = met
        } else {
            return nil
        }
    }

    /// Meets the calling thread's run loop: from now on other threads find its handle.
    static func meetCurrent() -> RunLoopHandle {
        let handle = RunLoopHandle(runLoop: CFRunLoopGetCurrent())
        MetRunLoop.remember(RunLoop.current, handle)
        return handle
    }

    private init(runLoop: CFRunLoop) {
        self.runLoop = runLoop
    }

    /// Ends the run loop's sleep, from any thread.
    func wake() {
        CFRunLoopWakeUp(runLoop)
    }
}

/// A run loop whose thread was once met; it is forgotten when the thread has ended.
private struct MetRunLoop: @unchecked Sendable {
    // The run loop is only compared.
    private weak let runLoop: RunLoop?
    private let handle: RunLoopHandle

    private static let all = Guarded<[ObjectIdentifier: MetRunLoop]>([:])

    static func handle(of runLoop: RunLoop) -> RunLoopHandle? {
        let key = ObjectIdentifier(runLoop)
        guard let met = all.withLock({ $0[key] }), met.runLoop === runLoop else { return nil }
        return met.handle
    }

    static func remember(_ runLoop: RunLoop, _ handle: RunLoopHandle) {
        let key = ObjectIdentifier(runLoop)
        let met = MetRunLoop(runLoop: runLoop, handle: handle)
        all.withLock { all in
            all = all.filter { $0.value.runLoop != nil }
            all[key] = met
        }
    }
}
