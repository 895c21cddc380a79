// HelloLoop: a loop, a job, a timer, and a stop.
//
// Watch for: who prints what. The job was handed over before the loop turned, and runs first. The
// ticks come from the loop itself. The wake-up comes from another thread and is not kept waiting
// until the next tick. After stop(), the line that follows run() is reached.

import EventLoops
import Foundation

@main
enum HelloLoop {
    static func main() {
        let loop = EventLoop(name: "hello")

        loop.perform { print("job: the loop turns") }

        loop.perform {
            var ticks = 0
            let timer = LastReference<LoopTimer>()
            timer.value = loop.timer(every: .milliseconds(100)) {
                ticks += 1
                print("timer: tick \(ticks)")
                if ticks == 3 {
                    timer.value = nil
                    loop.stop()
                }
            }
        }

        Thread.detachNewThread {
            loop.perform { print("job: from another thread") }
        }

        loop.run()
        print("stopped: run() has returned")
    }
}

/// Keeps a timer until it is let go of: a timer that nobody keeps does not fire.
final class LastReference<Value> {
    var value: Value?
}
