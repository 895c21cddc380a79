private import Digests
internal import EventLoops
internal import Foundation

/// The file of a kept response while it is written, under a name that nobody looks for.
///
/// One thread at a time. A writer that is let go of unfinished takes its file away.
final class CacheFileWriter: @unchecked Sendable {
    // It is handed from the loop, which makes it, to the cache's queue, which writes.
    private let folder: CacheFolder
    private let path: String
    private let file: OpenFile
    private let headLength: Int
    private var hasher = SHA256Hasher()
    private var isFinished = false

    /// How many bytes of body there are.
    private(set) var bodyLength = 0

    /// Makes the file, and writes the head.
    ///
    /// - Throws: ``FileError`` when it can't be written.
    init(_ folder: CacheFolder, _ response: StoredResponse) throws(FileError) {
        self.folder = folder
        let head = StoredHead.encode(response)
        path = folder.pathOfUnfinished()
        file = try OpenFile(creating: path)
        headLength = head.count
        hasher.update(head)
        try file.write(head, at: Int64(CacheFileLayout.prefixLength))
    }

    deinit {
        if !isFinished { folder.removeFile(path) }
    }

    /// Writes the next bytes of the body.
    ///
    /// - Throws: ``FileError`` when they can't be written.
    func append(_ bytes: [UInt8]) throws(FileError) {
        hasher.update(bytes)
        try file.write(bytes, at: Int64(layout.fileLength))
        bodyLength += bytes.count
    }

    /// Gives the file its name.
    ///
    /// - Throws: ``FileError`` when that fails; there is no file then.
    func finish(as name: EntryName) throws(FileError) {
        try file.write(layout.prefix(hasher), at: 0)
        try folder.finish(path, as: name.fileName)
        isFinished = true
    }

    /// The body as it was written, without reading it into memory; nil when it can't be mapped.
    var body: Data? {
        let url = URL(fileURLWithPath: path)
        // It stays readable when the file has another name, or none.
        let data = try? Data(contentsOf: url, options: .alwaysMapped)
        return data?.dropFirst(layout.bodyPlace)
    }

    private var layout: CacheFileLayout {
        CacheFileLayout(headLength: headLength, bodyLength: bodyLength)
    }
}
