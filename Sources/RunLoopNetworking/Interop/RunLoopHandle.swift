private import CoreFoundation
internal import Foundation

/// CoreFoundation's run loop behind a RunLoop: what can wake it from another thread.
///
/// Foundation on Linux has no call for that: a block handed to a sleeping RunLoop from another
/// thread waits until something else wakes it.
@safe
struct RunLoopHandle: @unchecked Sendable {
    // CFRunLoopWakeUp may be called from any thread.
    private let runLoop: CFRunLoop

    /// The handle of the calling thread's run loop.
    static var current: RunLoopHandle? {
        CFRunLoopGetCurrent().map(RunLoopHandle.init)
    }

    /// The handle of `runLoop` if it is the calling thread's or the main thread's; else nil.
    init?(_ runLoop: RunLoop) {
        if runLoop === RunLoop.main {
            self.init(runLoop: CFRunLoopGetMain())
        } else if runLoop === RunLoop.current {
            self.init(runLoop: CFRunLoopGetCurrent())
        } else {
            return nil
        }
    }

    private init(runLoop: CFRunLoop) {
        self.runLoop = runLoop
    }

    /// Ends the run loop's sleep, from any thread.
    func wake() {
        CFRunLoopWakeUp(runLoop)
    }
}
