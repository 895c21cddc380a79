private import Glibc

/// A file that is open, read or written at places that the caller names.
///
/// Any thread; the descriptor is closed with the last reference.
final class OpenFile: Sendable {
    private let descriptor: Int32

    /// Opens a file to be read; links are not followed.
    ///
    /// - Throws: ``FileError`` when there is no such file, or it is none that bytes are kept in.
    init(reading path: String) throws(FileError) {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else { throw FileError(number: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError(number: EINVAL)
        }
    }

    /// Makes a file that only its owner may read.
    ///
    /// - Throws: ``FileError`` when there is one already, or it can't be made.
    init(creating path: String) throws(FileError) {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw FileError(number: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// How many bytes it has.
    var size: Int64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Says that it was used now: what its time of change is looked at for.
    func touch() {
        _ = futimens(descriptor, nil)
    }

    /// Reads bytes into memory; fewer than there is room for only at the end of the file.
    ///
    /// - Throws: ``FileError`` when the system can't read.
    func read(into memory: UnsafeMutableRawBufferPointer, at place: Int64) throws(FileError) -> Int
    {
        var count = 0
        while count < memory.count {
            let step = unsafe pread(
                descriptor,
                memory.baseAddress.map { unsafe $0 + count },
                memory.count - count,
                off_t(place) + count
            )
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw FileError(number: errno) }
            guard step > 0 else { break }
            count += step
        }
        return count
    }

    /// Reads up to so many bytes.
    ///
    /// - Throws: ``FileError`` when the system can't read.
    func read(_ count: Int, at place: Int64) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let outcome = unsafe bytes.withUnsafeMutableBytes { memory in
            Result { () throws(FileError) in unsafe try read(into: memory, at: place) }
        }
        bytes.removeLast(count - (try outcome.get()))
        return bytes
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``FileError`` when the system can't write.
    func write(_ bytes: UnsafeRawBufferPointer, at place: Int64) throws(FileError) {
        var count = 0
        while count < bytes.count {
            let step = unsafe pwrite(
                descriptor,
                bytes.baseAddress.map { unsafe $0 + count },
                bytes.count - count,
                off_t(place) + count
            )
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw FileError(number: errno) }
            count += step
        }
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``FileError`` when the system can't write.
    func write(_ bytes: [UInt8], at place: Int64) throws(FileError) {
        let outcome = unsafe bytes.withUnsafeBytes { memory in
            Result { () throws(FileError) in unsafe try write(memory, at: place) }
        }
        try outcome.get()
    }
}
