import Foundation
import SampleSupport
import TranscriptFormat

/// Writes lines to standard output, each whole and at once.
final class LineWriter: Sendable {
    /// Guards the stream: lines of connections that run beside each other must not mix.
    private let lock = Locked(())

    /// Writes one line.
    func write(_ value: JSONValue) {
        lock.withLock { _ in StandardOutput.write("\(value)\n") }
    }
}
