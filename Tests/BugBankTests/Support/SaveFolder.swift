import Foundation
import Testing

/// An empty folder that a test saves into; it is removed at the end.
final class SaveFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "bug-bank-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        #expect(throws: Never.self) { try FileManager.default.removeItem(at: url) }
    }

    /// Saves a file under a name, and expects it to lie directly in the folder.
    func save(_ data: Data, as name: String, _ location: SourceLocation = #_sourceLocation) throws {
        let folder = url.path(percentEncoded: false)
        let path = folder + "/" + name
        #expect(FileManager.default.createFile(atPath: path, contents: data))
        let found = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(found == [name], sourceLocation: location)
        let kind = try FileManager.default.attributesOfItem(atPath: path)[.type]
        #expect(kind as? FileAttributeType == .typeRegular, sourceLocation: location)
    }
}
