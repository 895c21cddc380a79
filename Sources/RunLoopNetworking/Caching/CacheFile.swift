private import Digests
internal import Foundation

/// The file of a kept response that is read.
///
/// One thread at a time.
struct CacheFile {
    /// How many bytes are read at once.
    static let block = 64 << 10

    private let file: OpenFile
    private let layout: CacheFileLayout
    private let prefix: [UInt8]
    private let head: [UInt8]

    /// What is kept in it.
    let response: StoredResponse

    /// Opens a file and reads its head; nil when there is none, or it is not what was written.
    init?(_ path: String) {
        do throws(FileError) {
            file = try OpenFile(reading: path)
            prefix = try file.read(CacheFileLayout.prefixLength, at: 0)
            guard let layout = CacheFileLayout(prefix, fileLength: file.size) else { return nil }
            self.layout = layout
            head = try file.read(layout.headLength, at: Int64(CacheFileLayout.prefixLength))
        } catch {
            return nil
        }
        guard let response = StoredHead.decode(head) else { return nil }
        self.response = response
    }

    /// Looks at every byte; returns the body, up to `limit` bytes in memory, or nil when it is damaged.
    func verifiedBody(inMemoryUpTo limit: Int) -> StoredBody? {
        var hasher = SHA256Hasher()
        hasher.update(head)
        var kept: [UInt8] = []
        let isKept = layout.bodyLength <= limit
        let isRead = forEachBlock { block in
            hasher.update(block)
            if isKept { kept += block }
            return true
        }
        guard isRead, layout.isRight(prefix, hasher) else { return nil }
        file.touch()
        return isKept
            ? .memory(kept)
            : .file(file, at: Int64(layout.bodyPlace), count: layout.bodyLength)
    }

    private func forEachBlock(_ body: ([UInt8]) -> Bool) -> Bool {
        var place = 0
        while place < layout.bodyLength {
            let count = min(Self.block, layout.bodyLength - place)
            do throws(FileError) {
                let block = try file.read(count, at: Int64(layout.bodyPlace + place))
                guard block.count == count, body(block) else { return false }
            } catch {
                return false
            }
            place += count
        }
        return true
    }
}
