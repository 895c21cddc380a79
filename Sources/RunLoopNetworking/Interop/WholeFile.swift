private import Glibc

/// What the system said when a file could not be read or written.
struct FileError: Error {
    /// See errno(3).
    let number: Int32
}

/// Files that are read and replaced as a whole.
enum WholeFile {
    /// Reads a file; nil when there is none.
    ///
    /// - Throws: ``FileError`` when there is one that can't be read.
    static func read(_ path: String) throws(FileError) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw FileError(number: errno) }
            return nil
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(number: errno) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    /// Replaces a file, or makes it: at each moment its name leads to the old or to the new bytes.
    ///
    /// Only its owner may read it.
    ///
    /// - Throws: ``FileError`` when it fails; the old file is as it was then.
    static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let mark = UInt32.random(in: 0...UInt32.max)
        try replace(path, with: bytes, by: "\(path).\(getpid())-\(mark).new")
    }

    /// The same by way of a name that only the caller uses, so that nothing is left after a crash.
    ///
    /// What the crash of an earlier process has left there goes.
    ///
    /// - Throws: ``FileError`` when it fails; the old file is as it was then.
    static func replace(
        _ path: String,
        with bytes: [UInt8],
        by temporary: String
    ) throws(FileError) {
        unsafe unlink(temporary)
        do throws(FileError) {
            try write(bytes, to: temporary)
            try rename(temporary, to: path)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        syncFolder(of: path)
    }

    /// Gives a file another name; one that has that name goes.
    ///
    /// - Throws: ``FileError`` when it fails.
    static func rename(_ path: String, to other: String) throws(FileError) {
        guard unsafe Glibc.rename(path, other) == 0 else { throw FileError(number: errno) }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw FileError(number: errno) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(number: errno) }
            written += count
        }
        // The bytes before the name: after a power cut the name must not lead to an empty file.
        guard fsync(descriptor) == 0 else { throw FileError(number: errno) }
    }

    /// Has the new name on the disk as well.
    ///
    /// Not every file system can; the file is whole either way.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
