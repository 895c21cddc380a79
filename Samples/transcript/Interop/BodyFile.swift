import Foundation
import Glibc
import SampleSupport
import TranscriptFormat

/// The file that a body is written to, by one connection at a time.
///
/// The program ends when it takes nothing more. What stands under the path is opened, not replaced as
/// FileManager would do: it may be a device, a pipe or a link.
final class BodyFile: Sendable {
    private let path: String
    private let handle: FileHandle

    /// Makes the file, or empties it.
    init(_ path: String) throws(UsageError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw UsageError("the file \(path) of --output can't be written (errno \(errno))")
        }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Empties the file, for a body that begins; what is no file has nothing to empty.
    func begin() {
        guard ftruncate(handle.fileDescriptor, 0) == 0 else { return }
        lseek(handle.fileDescriptor, 0, SEEK_SET)
    }

    /// Writes bytes behind those that are there.
    func append(_ data: Data) {
        do {
            try handle.write(contentsOf: data)
        } catch {
            Terminal.fail("transcript: \(path) can't be written: \(error.localizedDescription)")
        }
    }
}
