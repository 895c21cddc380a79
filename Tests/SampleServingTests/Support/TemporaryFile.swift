import Foundation

/// A file in the temporary folder that goes away with this.
final class TemporaryFile {
    let url = FileManager.default.temporaryDirectory.appending(path: "served-\(UUID())")
    let handle: FileHandle

    init() throws {
        try Data().write(to: url)
        handle = try FileHandle(forUpdating: url)
    }

    deinit {
        try? handle.close()
        try? FileManager.default.removeItem(at: url)
    }

    func contents() throws -> Data { try Data(contentsOf: url) }
}
