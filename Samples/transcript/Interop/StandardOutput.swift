import Glibc
import SampleSupport

/// The program's standard output, without a buffer in between.
enum StandardOutput {
    /// Writes a text; the program ends when nobody takes it.
    static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                Terminal.fail("transcript: standard output takes nothing more (errno \(errno)).")
            }
        }
    }
}
