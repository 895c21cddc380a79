import Foundation
private import Glibc

/// A device of a test's own.
enum DeviceNode {
    /// Makes a node like /dev/null; where only the administrator may, a link to /dev/null.
    static func makeNull(_ path: String) throws {
        var status = stat()
        guard unsafe stat("/dev/null", &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        guard unsafe mknod(path, S_IFCHR | 0o600, status.st_rdev) != 0 else {
            let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
            if descriptor >= 0 {
                close(descriptor)
                return
            }
            // The file system has no devices.
            unsafe unlink(path)
            return try link(path)
        }
        try link(path)
    }

    private static func link(_ path: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: "/dev/null"
        )
    }
}
