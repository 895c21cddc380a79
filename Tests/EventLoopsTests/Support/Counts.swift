import EventLoops

/// How many descriptors and threads the process had; for tests in a process of their own.
enum Counts {
    private static let remembered = Guarded((descriptors: 0, threads: 0))

    static func remember() throws {
        // A thread that was let go of may take a moment to be gone.
        var last = (descriptors: -1, threads: -1)
        _ = try ThisProcess.soon {
            let now = try (ThisProcess.descriptorCount, ThisProcess.threadCount)
            defer { last = now }
            return now == last
        }
        let counts = last
        remembered.withLock { $0 = counts }
    }

    /// Stops the program when there are more than before, and stay.
    static func expectAsRemembered() throws {
        let before = remembered.withLock(\.self)
        let isAsBefore = try ThisProcess.soon {
            try ThisProcess.descriptorCount <= before.descriptors
                && ThisProcess.threadCount <= before.threads
        }
        precondition(isAsBefore, "something is left behind")
    }
}
