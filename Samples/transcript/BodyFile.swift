import Foundation
import SampleSupport
import TranscriptFormat

/// The file that a body is written to, by one connection at a time.
///
/// The program ends when it takes nothing more.
final class BodyFile: Sendable {
    private let path: String
    private let handle: FileHandle

    /// Makes the file, or empties it.
    init(_ path: String) throws(UsageError) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw UsageError("the file \(path) of --output can't be written") }
        self.path = path
        self.handle = handle
    }

    /// Empties the file, for a body that begins.
    func begin() {
        attempt { try handle.truncate(atOffset: 0) }
    }

    /// Writes bytes behind those that are there.
    func append(_ data: Data) {
        attempt { try handle.write(contentsOf: data) }
    }

    private func attempt(_ action: () throws -> Void) {
        do {
            try action()
        } catch {
            Terminal.fail("transcript: \(path) can't be written: \(error.localizedDescription)")
        }
    }
}
