private import Glibc

/// A regular file that is read from its beginning to its end, on one thread at a time.
@safe
final class LocalFile {
    /// Why a file is not read.
    enum Refusal: Error, Equatable {
        case isDirectory
        /// A pipe, a socket or a device.
        case isNotRegular
        case system(Int32)
    }

    /// How many bytes it had when it was opened.
    let size: Int

    private let descriptor: Int32

    /// Opens a file, whose path is bytes without a NUL.
    ///
    /// - Throws: ``Refusal``.
    init(_ path: [UInt8]) throws(Refusal) {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        // To open a device may set it going, so it is looked at first.
        var status = stat()
        guard unsafe stat(name, &status) == 0 else { throw .system(errno) }
        try Self.check(status)
        // Should it have become a pipe by now, nobody waits for its other end.
        let opened = unsafe open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw .system(errno) }
        do throws(Refusal) {
            guard unsafe fstat(opened, &status) == 0 else { throw .system(errno) }
            try Self.check(status)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
        size = status.st_size
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit {
        close(descriptor)
    }

    /// Reads the next bytes; fewer than there is room for only at the end.
    ///
    /// - Throws: ``Refusal`` with what the system says.
    func read(into room: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
        var filled = 0
        while filled < room.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            let count = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    private static func check(_ status: stat) throws(Refusal) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isDirectory
        default: throw .isNotRegular
        }
    }
}
