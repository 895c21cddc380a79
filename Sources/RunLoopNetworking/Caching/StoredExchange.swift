internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// A response that was kept, delivered as if it came from the origin.
///
/// No more of it is read than there is room for.
final class StoredExchange: Exchange, @unchecked Sendable {
    // Loop affinity; Sendable so that what was read can find it again.
    private let load: Load
    private let cache: ResponseCache
    private let entry: StoredEntry
    private var place = 0
    private var isReading = false
    private var isStopped = false

    private static let pool = SlabPool()

    /// Makes an exchange that has not begun.
    init(load: Load, cache: ResponseCache, entry: StoredEntry) {
        self.load = load
        self.cache = cache
        self.entry = entry
    }

    func start() {
        load.loop.perform { [self] in
            guard !isStopped else { return }
            let response = load.request.url.flatMap {
                LoadedHTTPURLResponse(
                    url: $0,
                    headers: entry.response.head(at: cache.now()),
                    isDecoded: entry.response.isDecoded
                )
            }
            guard let response else {
                return load.fail(
                    Failure(.cannotParseResponse, "Foundation takes no such response.")
                )
            }
            load.emit(.response(response))
            goOn()
        }
    }

    func resumeReading() {
        goOn()
    }

    func stop() {
        isStopped = true
    }

    /// Hands on what there is room for.
    private func goOn() {
        while !isStopped, !isReading, !load.isCancelled {
            let count = min(CacheFile.block, entry.body.count - place)
            guard count > 0 else {
                isStopped = true
                return load.finish()
            }
            guard load.room(for: count) else { return }
            switch entry.body {
            case .memory(let bytes):
                deliver(bytes[place..<(place + count)])
            case .file(let file, let begin, _):
                read(count, of: file, at: begin + Int64(place))
            }
        }
    }

    private func read(_ count: Int, of file: OpenFile, at begin: Int64) {
        isReading = true
        cache.queue.async { [self] in
            let block = Result { () throws(FileError) in try file.read(count, at: begin) }
            load.loop.perform { [self] in
                isReading = false
                guard !isStopped else { return }
                guard case .success(let bytes) = block, bytes.count == count else {
                    isStopped = true
                    return load.fail(
                        Failure(.resourceUnavailable, "The file of a kept response can't be read.")
                    )
                }
                deliver(bytes[...])
                goOn()
            }
        }
    }

    private func deliver(_ bytes: ArraySlice<UInt8>) {
        place += bytes.count
        let size = SlabPool.sizes.first { $0 >= bytes.count } ?? bytes.count
        let slab = Self.pool.slab(size: size)
        let piece = unsafe bytes.withUnsafeBytes { unsafe slab.append($0) }
        load.emit(.data(piece))
    }
}
