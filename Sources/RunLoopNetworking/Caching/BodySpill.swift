private import Dispatch
internal import EventLoops
internal import Foundation

/// A body on its way to the file of a cache, written off the loop block by block.
///
/// What waits to be written is bounded: when the disk is slower than the network, the load reads no
/// more until the disk has caught up. Any thread.
final class BodySpill: Sendable {
    private struct State: Sendable {
        var writer: CacheFileWriter?
        var failure: FileError?
        var waitingBytes = 0
        var isReadingPaused = false
    }

    /// How many bytes may wait.
    private static let limit = 512 << 10

    private let cache: ResponseCache
    private let resumeReading: @Sendable () -> Void

    /// Guarded; the writer is used on the cache's queue alone.
    private let state = Guarded(State())

    /// Begins a file for a response; `resumeReading` is called on the cache's queue.
    init(
        _ cache: ResponseCache,
        _ folder: CacheFolder,
        _ response: StoredResponse,
        resumeReading: @escaping @Sendable () -> Void
    ) {
        self.cache = cache
        self.resumeReading = resumeReading
        cache.queue.async { [self] in
            do throws(FileError) {
                let writer = try CacheFileWriter(folder, response)
                state.withLock { $0.writer = writer }
            } catch {
                let failure = error
                state.withLock { $0.failure = failure }
            }
        }
    }

    /// Whether more may be appended; if not, `resumeReading` is called when it may.
    var hasRoom: Bool {
        state.withLock { state in
            guard state.waitingBytes >= Self.limit else { return true }
            state.isReadingPaused = true
            return false
        }
    }

    /// Adds the next bytes.
    func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        state.withLock { $0.waitingBytes += bytes.count }
        cache.queue.async { self.write(bytes) }
    }

    /// Has the body as a file in memory's place, on the cache's queue; nil when it could not be written.
    func read(_ proceed: @escaping @Sendable (Data?) -> Void) {
        cache.queue.async { [self] in
            let (writer, failure) = state.withLock { ($0.writer, $0.failure) }
            proceed(failure == nil ? writer?.body : nil)
        }
    }

    /// Gives the file its name; on the cache's queue.
    ///
    /// - Throws: ``FileError`` when something could not be written.
    func finish(as name: EntryName) throws(FileError) {
        let (writer, failure) = state.withLock { ($0.writer, $0.failure) }
        if let failure { throw failure }
        try writer?.finish(as: name)
    }

    private func write(_ bytes: [UInt8]) {
        let writer = state.withLock { $0.failure == nil ? $0.writer : nil }
        var failure: FileError?
        do throws(FileError) {
            try writer?.append(bytes)
        } catch {
            failure = error
        }
        let resumes = state.withLock { [failure] state in
            if let failure { state.failure = failure }
            state.waitingBytes -= bytes.count
            guard state.isReadingPaused, state.waitingBytes <= Self.limit / 2 else { return false }
            state.isReadingPaused = false
            return true
        }
        if resumes { resumeReading() }
    }
}
