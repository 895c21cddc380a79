private import Glibc

/// How much room there is.
enum DiskSpace {
    /// The number of bytes that this user may still write in a folder's file system.
    ///
    /// - Throws: ``FileFailure`` when the folder is not there, or can't be looked at. See statvfs(3).
    static func available(in folder: String) throws(FileFailure) -> Int64 {
        var status = statvfs()
        while unsafe statvfs(folder, &status) != 0 {
            guard errno == EINTR else {
                throw FileFailure(operation: .open, number: errno, path: folder)
            }
        }
        let (bytes, isTooMuch) = UInt64(status.f_bavail)
            .multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMuch ? .max : Int64(clamping: bytes)
    }
}
