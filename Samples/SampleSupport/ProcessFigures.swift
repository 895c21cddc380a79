private import Foundation

/// What this process holds at a moment.
public struct ProcessFigures: Sendable {
    /// Open descriptors.
    public let descriptors: Int

    /// Threads.
    public let threads: Int

    /// Resident memory in megabytes of 1,000,000 bytes.
    public let megabytes: Int

    /// How things are now.
    public static var now: ProcessFigures {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return ProcessFigures(
            descriptors: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
            megabytes: (pages ?? 0) * 4096 / 1_000_000
        )
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
