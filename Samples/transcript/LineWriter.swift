import Foundation
import SampleSupport
import TranscriptFormat

/// Writes lines to standard output, each whole and at once.
final class LineWriter: Sendable {
    /// How many lines were written.
    ///
    /// Its lock guards the stream: lines of connections that run beside each other must not mix.
    private let count = Locked(0)

    /// Writes one line.
    func write(_ value: JSONValue) {
        count.withLock { count in
            count += 1
            StandardOutput.write("\(value)\n")
        }
    }
}
