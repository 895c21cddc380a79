import SampleSupport

/// How all connections ended so far; any thread.
final class Tally: Sendable {
    /// How a connection ended.
    enum End {
        case finished
        case failed
        case cancelled
    }

    struct Counts {
        var connections = 0
        var finished = 0
        var failed = 0
        var cancelled = 0
        var bytes: Int64 = 0

        /// How many have not ended.
        var running: Int { connections - finished - failed - cancelled }
    }

    /// Guarded by the mutex.
    private let state = Locked(Counts())

    var counts: Counts { state.withLock { $0 } }

    func began() {
        state.withLock { $0.connections += 1 }
    }

    func received(_ bytes: Int) {
        state.withLock { $0.bytes += Int64(bytes) }
    }

    func ended(_ end: End) {
        state.withLock { counts in
            switch end {
            case .finished: counts.finished += 1
            case .failed: counts.failed += 1
            case .cancelled: counts.cancelled += 1
            }
        }
    }
}
