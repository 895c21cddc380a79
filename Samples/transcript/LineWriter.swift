import Foundation
import Synchronization
import TranscriptFormat

/// Writes lines to standard output, each whole and at once.
final class LineWriter: Sendable {
    /// Guards the stream: lines of connections that run beside each other must not mix.
    private let lock = Mutex(())

    /// Writes one line.
    func write(_ value: JSONValue) {
        lock.withLock { _ in StandardOutput.write("\(value)\n") }
    }
}
