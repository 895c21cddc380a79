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

    /// How many threads have this name.
    static func threadCount(named name: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { thread in
            let path = "/proc/self/task/\(thread)/comm"
            // A thread may end while we look.
            let comm = try? String(contentsOfFile: path, encoding: .utf8)
            return comm?.trimmingCharacters(in: .newlines) == name
        }
    }

    /// Lets other threads run for a while; returns whether `condition` held in the end.
    static func yields(until condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<1_000 {
            if try condition() { return true }
            sched_yield()
        }
        return false
    }

    /// Lets other threads run until `condition` holds; false when it does not for far too long.
    ///
    /// For what the kernel shows a moment late, such as a thread that was joined.
    static func soon(_ condition: () throws -> Bool) rethrows -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try condition() { return true }
            sched_yield()
        }
        return false
    }
}
