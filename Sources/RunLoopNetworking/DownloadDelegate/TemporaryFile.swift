private import EventLoops
internal import Foundation

/// The name of a file that is removed when nobody holds it any more; any thread.
///
/// Whoever wants the file moves it away before.
final class TemporaryFile: Sendable {
    let path: String

    /// Whether the file of that name is of our making; guarded.
    private let isMade = Guarded(false)

    /// Thinks of a name that is not there yet.
    init(in folder: String) {
        path =
            (folder.hasSuffix("/") ? folder : folder + "/")
            + "RunLoopNetworking-\(UUID().uuidString).tmp"
    }

    deinit {
        remove()
    }

    var url: URL { URL(fileURLWithPath: path, isDirectory: false) }

    /// Makes the file; it blocks for as long as the disk likes.
    ///
    /// - Throws: ``FileFailure`` when it can't be made.
    func make() throws(FileFailure) -> WritableFile {
        let file = try WritableFile(path, .new)
        isMade.withLock { $0 = true }
        return file
    }

    /// Removes what is still there under the name.
    func remove() {
        let isOurs = isMade.withLock { isMade in
            defer { isMade = false }
            return isMade
        }
        guard isOurs else { return }
        // A folder that was taken away has taken the file along.
        _ = try? FileRemoval.remove(path)
    }
}
