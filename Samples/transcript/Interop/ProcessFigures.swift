import Glibc

/// What the kernel counts for this process.
enum ProcessFigures {
    /// How many descriptors are open.
    static var descriptors: Int {
        // The folder that is being read is one of them.
        entries(of: "/proc/self/fd") - 1
    }

    /// How many threads there are.
    static var threads: Int { entries(of: "/proc/self/task") }

    private static func entries(of path: String) -> Int {
        guard let folder = unsafe opendir(path) else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // "." and ".."
        return count - 2
    }
}
