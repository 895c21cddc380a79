import EventLoops
import NetworkingTestKit

extension TestLoop {
    /// A loop that takes its time from a clock of the test.
    convenience init(clock: HandClock) {
        self.init(EventLoop(name: "test", clock: clock))
        loop.start()
    }

    /// Lets time go by for the loop, and wakes it.
    func advance(_ clock: HandClock, by duration: Duration) {
        clock.advance(loop, by: duration)
    }
}
