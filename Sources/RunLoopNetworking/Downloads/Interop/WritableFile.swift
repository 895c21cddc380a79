private import CLinux
private import Glibc
private import Synchronization

/// A file that is open for writing, until it is closed or let go of; any thread.
///
/// Every call may block for as long as the disk likes: never call them on the loop.
final class WritableFile: Sendable {
    /// How a file is opened.
    enum Mode: Equatable {
        /// There is none yet, and nobody else may read it: open(2) with `O_EXCL`, mode 0600.
        case new

        /// There is one of the process's own, which is gone on with; no link is followed.
        case existing

        /// Whatever is there: a device, a pipe. Opening a pipe waits for somebody who reads.
        case through
    }

    let path: String

    /// Whether it has a length and can be written anywhere.
    let isRegular: Bool

    /// Negative when the file is closed.
    private let descriptor: Atomic<Int32>

    /// Opens a file.
    ///
    /// - Throws: ``FileFailure`` when that fails, also when an existing file is no regular one.
    init(_ path: String, _ mode: Mode) throws(FileFailure) {
        self.path = path
        let flags =
            switch mode {
            case .new: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            case .existing: O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            case .through: O_WRONLY | O_CLOEXEC | O_NOCTTY
            }
        let operation: FileFailure.Operation = mode == .new ? .create : .open
        var opened: Int32
        repeat {
            unsafe opened = open(path, flags, 0o600)
        } while opened < 0 && errno == EINTR
        guard opened >= 0 else {
            throw FileFailure(operation: operation, number: errno, path: path)
        }
        var status = stat()
        let isKnown = unsafe fstat(opened, &status) == 0
        isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
        descriptor = Atomic(opened)
        guard isRegular || mode == .through else {
            throw FileFailure(operation: operation, number: EEXIST, path: path)
        }
    }

    deinit {
        let open = descriptor.exchange(-1, ordering: .relaxed)
        if open >= 0 { Glibc.close(open) }
    }

    /// Closes the file; afterwards every other call fails.
    ///
    /// - Throws: ``FileFailure`` when the system says only now that bytes were lost.
    func close() throws(FileFailure) {
        let open = descriptor.exchange(-1, ordering: .relaxed)
        guard open >= 0 else { return }
        // close(2): the descriptor is gone in any case, also after EINTR.
        guard Glibc.close(open) == 0 || errno == EINTR else { throw failure(.write) }
    }

    /// The number of bytes in a regular file.
    ///
    /// - Throws: ``FileFailure`` when the system can't say.
    func length() throws(FileFailure) -> Int64 {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw failure(.read) }
        return Int64(status.st_size)
    }

    /// Keeps other processes, and other downloads of this one, from locking the file until it is closed.
    ///
    /// - Throws: ``FileFailure`` with `EWOULDBLOCK` when somebody else has locked it. See flock(2).
    func lock() throws(FileFailure) {
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw failure(.lock) }
    }

    /// Whether the name still leads to this file.
    var hasItsName: Bool {
        var opened = stat()
        var named = stat()
        guard unsafe fstat(number, &opened) == 0, unsafe lstat(path, &named) == 0 else {
            return false
        }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    private var number: Int32 { descriptor.load(ordering: .relaxed) }

    private func failure(_ operation: FileFailure.Operation) -> FileFailure {
        FileFailure(operation: operation, number: errno, path: path)
    }
}

// MARK: - Bytes

extension WritableFile {
    /// Writes bytes at an offset, or the next bytes where there are no offsets; returns how many.
    ///
    /// A write that would go beyond a limit ends no program by a signal: it fails.
    ///
    /// - Throws: ``FileFailure`` when not one byte could be written.
    func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int {
        let (count, error) = FileSignals.held {
            unsafe bytes.withUnsafeBytes { bytes in
                while true {
                    let count =
                        isRegular
                        ? unsafe pwrite(number, bytes.baseAddress, bytes.count, off_t(offset))
                        : unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
                    guard count < 0, errno == EINTR else { return (count, errno) }
                }
            }
        }
        guard count >= 0 else {
            throw FileFailure(operation: .write, number: error, path: path)
        }
        return count
    }

    /// Reads bytes at an offset; returns how many, 0 behind the end.
    ///
    /// - Throws: ``FileFailure`` when it fails.
    func read(into bytes: inout [UInt8], at offset: Int64) throws(FileFailure) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(number, $0.baseAddress, $0.count, off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(.read) }
            return count
        }
    }

    /// Has a regular file end at `length`.
    ///
    /// - Throws: ``FileFailure`` when it fails.
    func truncate(to length: Int64) throws(FileFailure) {
        guard isRegular else { return }
        let (result, error) = FileSignals.held { (ftruncate(number, off_t(length)), errno) }
        guard result == 0 else {
            throw FileFailure(operation: .write, number: error, path: path)
        }
    }

    /// Sets room aside on the disk up to `length`, without making the file longer.
    ///
    /// A file system that can't is no failure: the room is looked for when bytes are written.
    ///
    /// - Throws: ``FileFailure`` when there is not so much room. See fallocate(2).
    func reserve(from offset: Int64, to length: Int64) throws(FileFailure) {
        guard isRegular, length > offset else { return }
        // Room behind the end of a file is not looked at by the system: setrlimit(2).
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        guard UInt64(length) <= UInt64(limit.rlim_cur) else {
            throw FileFailure(operation: .write, number: EFBIG, path: path)
        }
        let (result, error) = FileSignals.held {
            while true {
                let room = off_t(length - offset)
                let result = shim_fallocate_keepSize(number, off_t(offset), room)
                guard result < 0, errno == EINTR else { return (result, errno) }
            }
        }
        guard result == 0 || ![ENOSPC, EDQUOT, EFBIG, EIO].contains(error) else {
            throw FileFailure(operation: .write, number: error, path: path)
        }
    }

    /// Returns when all bytes written before are on the disk.
    ///
    /// - Throws: ``FileFailure`` when some are lost. See fdatasync(2).
    func sync() throws(FileFailure) {
        guard isRegular else { return }
        while fdatasync(number) != 0 {
            guard errno == EINTR else { throw failure(.write) }
        }
    }
}
