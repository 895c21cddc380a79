import Foundation
private import Glibc

/// What stat(2) says of a name; a link is not followed.
struct FileStatus: Equatable {
    /// The number of bytes that the file takes on the disk.
    let allocated: Int

    /// Which file it is.
    let inode: UInt64

    /// What kind of file it is.
    let kind: UInt32

    static let device = UInt32(S_IFCHR)
    static let link = UInt32(S_IFLNK)
    static let pipe = UInt32(S_IFIFO)
    static let regular = UInt32(S_IFREG)

    init(_ path: String) throws {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        allocated = Int(status.st_blocks) * 512
        inode = UInt64(status.st_ino)
        kind = UInt32(status.st_mode & S_IFMT)
    }
}
