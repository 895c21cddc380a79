import Foundation
private import Glibc

/// A file as any program makes it: with all permissions that umask(2) leaves.
enum NewFile {
    static func make(_ path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        close(descriptor)
    }
}
