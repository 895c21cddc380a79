import Foundation
private import Glibc

/// The reading end of a named pipe.
final class NamedPipe {
    private var descriptor: Int32

    /// Makes the pipe, and opens it without waiting for a writer.
    init(_ path: String) throws {
        guard unsafe mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        unsafe descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
    }

    deinit {
        close()
    }

    /// Waits for so many bytes, or for the end.
    func read(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var have = 0
        while have < count {
            var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&interest, 1, 20_000) > 0 else { break }
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress.map { unsafe $0 + have }, count - have)
            }
            guard got > 0 else { break }
            have += got
        }
        return Array(bytes[..<have])
    }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
