internal import Foundation
internal import FoundationNetworking

/// Where a download ends up, and where its bytes are gathered until then.
struct DownloadPlace: Equatable, Sendable {
    /// The file, with its name; for a folder, with the name that the URL has for it.
    let target: TargetFile

    /// Nil where the bytes go straight through.
    let partial: PartialFile?

    /// Where the file may have another name in the end: the server proposes it.
    private let folder: String?

    /// Looks at what is there.
    ///
    /// - Throws: ``FileFailure`` when there is a file which is not to be replaced, or when nothing can be put
    ///   there.
    init(_ path: String, _ request: URLRequest, _ options: DownloadOptions) throws(FileFailure) {
        folder = path.utf8.last == UInt8(ascii: "/") ? path : nil
        let name = SuggestedFilename.name(disposition: nil, url: request.url, mimeType: nil)
        target = try TargetFile(folder.map { $0 + name } ?? path)
        switch target {
        case .through:
            partial = nil
        case .file(let path):
            partial = PartialFile(ofTarget: path)
            if folder == nil { try Self.check(path, options) }
        }
    }

    /// The path of the file, once the server has proposed a name.
    ///
    /// - Throws: ``FileFailure`` when there is a file which is not to be replaced.
    func path(
        suggestedName: String,
        _ options: DownloadOptions
    ) throws(FileFailure) -> String {
        switch target {
        case .through(let path): return path
        case .file(let path):
            let proposed = folder.map { $0 + suggestedName } ?? path
            try Self.check(proposed, options)
            return proposed
        }
    }

    private static func check(_ path: String, _ options: DownloadOptions) throws(FileFailure) {
        guard !options.replacesExisting, FileManager.default.fileExists(atPath: path) else {
            return
        }
        throw FileFailure(operation: .create, number: EEXIST, path: path)
    }
}
