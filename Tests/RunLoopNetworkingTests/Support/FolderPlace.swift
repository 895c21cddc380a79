import Foundation

/// A place for a folder that is not there yet; what is there at the end is removed.
final class FolderPlace: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("tests-\(UUID().uuidString)", isDirectory: true)

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of the files in it, in order.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    /// The files in it.
    var files: [URL] {
        get throws { try names.map { url.appendingPathComponent($0) } }
    }
}
