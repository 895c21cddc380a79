internal import CurlTransfers
internal import Foundation

/// Gathers the body of a response that may be kept, while it is delivered.
///
/// It is in memory while it is small, then goes to a file if the cache has a folder. A body that turns
/// out to be too large is given up. Loop affinity.
final class BodyRecorder {
    private let cache: ResponseCache
    private let response: StoredResponse
    private let resumeReading: @Sendable () -> Void

    private var bytes: [UInt8] = []
    private var spill: BodySpill?
    private var count = 0
    private var isGivenUp = false

    /// Makes a recorder that has seen no byte.
    init(
        _ cache: ResponseCache,
        _ response: StoredResponse,
        resumeReading: @escaping @Sendable () -> Void
    ) {
        self.cache = cache
        self.response = response
        self.resumeReading = resumeReading
    }

    deinit {
        cache.recording.remove(bytes.count)
    }

    /// Whether more bytes may come; if not, `resumeReading` is called when they may.
    var hasRoom: Bool { spill?.hasRoom ?? true }

    /// Takes the next bytes of the body.
    func append(_ piece: SlabPiece) {
        guard !isGivenUp else { return }
        guard count + piece.count <= cache.mostBytes,
            cache.recording.add(piece.count, limit: cache.mostBytesRecorded)
        else { return giveUp() }
        count += piece.count
        unsafe bytes.append(contentsOf: piece.slab.bytes(in: piece.range))
        if spill == nil, count > cache.mostBytesInMemory, let folder = cache.folder {
            spill = BodySpill(cache, folder, response, resumeReading: resumeReading)
        }
        if spill != nil, bytes.count >= CacheFile.block { handOver() }
    }

    /// The whole body, for its owner to look at; `proceed` is called at once or on the cache's queue.
    ///
    /// Nil means that there is nothing that could be kept.
    func body(_ proceed: @escaping @Sendable (Data?) -> Void) {
        guard !isGivenUp else { return proceed(nil) }
        guard let spill else { return proceed(Data(bytes)) }
        handOver()
        spill.read(proceed)
    }

    /// Keeps the response and its body.
    func keep(_ key: CacheKey) {
        guard !isGivenUp else { return }
        guard let spill else { return cache.store(response, bytes, key) }
        handOver()
        cache.store(response, spill, bodyLength: count, key)
    }

    private func handOver() {
        spill?.append(bytes)
        cache.recording.remove(bytes.count)
        bytes = []
    }

    private func giveUp() {
        isGivenUp = true
        cache.recording.remove(bytes.count)
        bytes = []
        spill = nil
    }
}
