import Foundation
private import Glibc

/// What the kernel says of this process.
enum ThisProcess {
    static var descriptorCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }

    static var threadCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
    }

    /// How much time the cores have spent on this process so far.
    static var processorTime: Duration {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(.zero) { sum, time in
            sum + .seconds(time.tv_sec) + .microseconds(time.tv_usec)
        }
    }

    /// Lets other threads run until `condition` holds; false when it does not for far too long.
    ///
    /// For what the kernel shows a moment late, such as a descriptor that another thread closes.
    static func soon(_ condition: () throws -> Bool) rethrows -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try condition() { return true }
            sched_yield()
        }
        return false
    }
}
