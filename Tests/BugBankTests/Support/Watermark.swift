import EventLoops

/// Says when the sum of what was added has reached a number; any thread.
final class Watermark: Sendable {
    private let missing: Guarded<Int>

    init(_ count: Int) {
        missing = Guarded(count)
    }

    func isReached(adding count: Int) -> Bool {
        missing.withLock { missing in
            missing -= count
            return missing <= 0
        }
    }
}
