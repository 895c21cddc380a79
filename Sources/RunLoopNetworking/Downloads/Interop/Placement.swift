private import CLinux
private import Glibc

/// Gives a file that is whole its final name.
enum Placement {
    /// Gives `path` the name `target`, in the same folder, at one stroke; returns when that is on the disk.
    ///
    /// Until then only the owner may read the file. Now it gets the permissions that a new file has, or those
    /// of the file that it replaces.
    ///
    /// - Throws: ``FileFailure`` when that fails, with `EEXIST` when there is a file of that name and it is not
    ///   to be replaced. What was there, and the file at `path`, are as they were then.
    static func place(
        _ path: String,
        at target: String,
        replacing: Bool
    ) throws(FileFailure) {
        try finish(path, like: target)
        do throws(FileError) {
            if replacing {
                try replace(target, by: path)
            } else {
                try name(path, target)
            }
        } catch {
            throw FileFailure(operation: .move, number: error.number, path: target)
        }
        syncFolder(of: target)
    }

    /// Has the name of a file, and that another is gone, on the disk.
    ///
    /// Not every file system can; the file is whole either way.
    static func syncFolder(of path: String) {
        let folder = FolderPath.folder(of: path)
        let descriptor = unsafe open(
            folder.isEmpty ? "." : folder,
            O_RDONLY | O_DIRECTORY | O_CLOEXEC
        )
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The bytes and the permissions are on the disk before the name is.
    private static func finish(_ path: String, like target: String) throws(FileFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileFailure(operation: .open, number: errno, path: path)
        }
        defer { close(descriptor) }
        var old = stat()
        let isThere = unsafe lstat(target, &old) == 0 && old.st_mode & S_IFMT == S_IFREG
        let mode = isThere ? old.st_mode & 0o777 : 0o666 & ~umaskOfProcess
        // File systems without permissions refuse, and have none to set.
        _ = fchmod(descriptor, mode)
        guard fsync(descriptor) == 0 else {
            throw FileFailure(operation: .write, number: errno, path: path)
        }
    }

    /// Never takes the place of what is no regular file, such as a device that has come there since.
    private static func replace(_ target: String, by path: String) throws(FileError) {
        var status = stat()
        if unsafe lstat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw FileError(number: EEXIST)
        }
        try WholeFile.rename(path, to: target)
    }

    /// Takes the place of nothing.
    private static func name(_ path: String, _ target: String) throws(FileError) {
        guard unsafe shim_renameat2_noReplace(path, target) != 0 else { return }
        guard errno == EINVAL || errno == ENOSYS else { throw FileError(number: errno) }
        // The file system does not know the flag. A second name takes the place of nothing, either.
        if unsafe link(path, target) == 0 {
            unsafe unlink(path)
            return
        }
        guard errno == EPERM || errno == EOPNOTSUPP else { throw FileError(number: errno) }
        // Nor does it know second names, as FAT: here a moment is left in which somebody else may be first.
        var status = stat()
        guard unsafe lstat(target, &status) != 0 else { throw FileError(number: EEXIST) }
        try WholeFile.rename(path, to: target)
    }

    /// What a new file may not be, as umask(2) has it.
    ///
    /// umask(2) can't be asked without being changed for all threads; proc(5) can.
    private static var umaskOfProcess: mode_t {
        let usual: mode_t = 0o022
        do throws(FileError) {
            let status = try WholeFile.read("/proc/self/status") ?? []
            let key = Array("Umask:".utf8)
            for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: key) {
                let digits = line.dropFirst(key.count).filter { $0 != UInt8(ascii: "\t") }
                return mode_t(String(decoding: digits, as: UTF8.self), radix: 8) ?? usual
            }
            return usual
        } catch {
            return usual
        }
    }
}
