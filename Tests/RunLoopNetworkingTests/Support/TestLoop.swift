import EventLoops
import NetworkingTestKit

/// A loop of a test's own, on a thread of its own; shut down when the test lets go of it.
final class TestLoop: Sendable {
    let loop: EventLoop

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    convenience init(isStarted: Bool = true) {
        self.init(EventLoop(name: "test"))
        if isStarted { loop.start() }
    }

    /// Starts a loop whose clock the test moves.
    convenience init(_ manual: ManualLoop) {
        self.init(manual.loop)
        loop.start()
    }

    deinit {
        loop.shutDown()
    }
}
