private import Glibc

/// Names that are taken away.
enum FileRemoval {
    /// Removes a name, if it is there.
    ///
    /// - Throws: ``FileFailure`` when it can't be removed.
    static func remove(_ path: String) throws(FileFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw FileFailure(operation: .remove, number: errno, path: path)
        }
    }
}
