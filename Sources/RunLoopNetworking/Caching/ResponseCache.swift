private import Dispatch
internal import EventLoops
public import Foundation
public import FoundationNetworking

/// The responses that connections keep to use them again: in memory, and in a folder if it has one.
///
/// Connections take it from ``ConnectionSettings/responseCache``, and keep and use responses as
/// RFC 9111 says for a cache that belongs to one user, and as the `cachePolicy` of the request says.
/// Bodies are kept decoded. Redirects and parts of a body are not kept.
///
/// A response is kept if it is no larger than a twentieth of the disk capacity, or of the memory
/// capacity where there is no folder; what was not used for longest makes room. Each response in the
/// folder is one file that only its owner may read; it is written under another name, renamed when it
/// is whole, and holds a checksum: a damaged file is taken away and counts as none. Programs may share
/// a folder.
///
/// ```swift
/// let folder = URL(fileURLWithPath: "/var/cache/mine")
/// let cache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 100 << 20, directory: folder)
/// EventLoop.shared.connectionSettings.responseCache = cache
/// ```
///
/// Any thread may call every method; those that look into the folder block the calling thread.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc9111> and
///   <https://developer.apple.com/documentation/foundation/urlcache>.
public final class ResponseCache: Sendable {
    struct MemoryItem: Sendable {
        let response: StoredResponse
        let body: [UInt8]
    }

    struct State: Sendable {
        var memory: CacheShelf<MemoryItem>
        /// Files that are there, or whose writing is queued.
        var disk: CacheShelf<Bool>
        var diskError: Int32?
        var writes = 0
    }

    /// What connections use unless their loop's settings name another; 4 MiB of memory, no folder.
    public static let shared = ResponseCache(memoryCapacity: 4 << 20)

    /// How many bytes of memory responses may take.
    public let memoryCapacity: Int

    /// How many bytes the files in the folder may have; 0 when there is no folder.
    public let diskCapacity: Int

    /// The folder; nil when there is none, or it can't be used.
    let folder: CacheFolder?

    /// Guarded.
    let state: Guarded<State>

    /// Serial: files are read and written here, in the order in which it was asked for.
    let queue = DispatchQueue(label: "RunLoopNetworking.ResponseCache")

    /// How many bytes loads have gathered that may be kept.
    let recording = WaitingBytes()

    let now: @Sendable () -> Date

    /// Makes a cache that keeps responses in memory and, if there is a directory, in files there.
    ///
    /// The directory is made if it is not there, with its parents; what is kept in it already is used.
    /// If it can't be used there is no disk capacity, and ``diskError`` says why.
    ///
    /// - Parameters:
    ///   - memoryCapacity: How many bytes of memory to use; 0 for none.
    ///   - diskCapacity: How many bytes of files to keep; 0 for none.
    ///   - directory: A directory that has nothing but this cache's files in it.
    public convenience init(
        memoryCapacity: Int,
        diskCapacity: Int = 0,
        directory: URL? = nil
    ) {
        self.init(
            memoryCapacity: memoryCapacity,
            diskCapacity: diskCapacity,
            directory: directory,
            now: { Date() }
        )
    }

    /// Makes a cache whose clock is the caller's.
    init(
        memoryCapacity: Int,
        diskCapacity: Int,
        directory: URL?,
        now: @escaping @Sendable () -> Date
    ) {
        var folder = diskCapacity > 0 ? directory.map(CacheFolder.init) : nil
        var diskError: Int32?
        do throws(FileError) {
            try folder?.prepare()
        } catch {
            diskError = error.number
            folder = nil
        }
        self.folder = folder
        self.now = now
        self.memoryCapacity = max(0, memoryCapacity)
        self.diskCapacity = folder == nil ? 0 : max(0, diskCapacity)
        state = Guarded(
            State(
                memory: CacheShelf(capacity: self.memoryCapacity),
                disk: CacheShelf(capacity: self.diskCapacity),
                diskError: diskError
            )
        )
        if let folder {
            folder.removeAbandoned(folder.entries(), now: now().timeIntervalSince1970)
            lookIntoFolder(folder)
        }
    }

    /// How many bytes of memory are in use now.
    public var currentMemoryUsage: Int { state.withLock { $0.memory.usage } }

    /// How many bytes the files have now, or will have soon.
    public var currentDiskUsage: Int { state.withLock { $0.disk.usage } }

    /// What the system said (errno) when the folder could last not be used; nil when it could.
    public var diskError: Int32? { state.withLock { $0.diskError } }

    /// The greatest response that is kept, in bytes.
    var mostBytes: Int { (folder == nil ? memoryCapacity : diskCapacity) / 20 }

    /// How many bytes all loads together may gather before it is known whether they are kept.
    var mostBytesRecorded: Int { max(memoryCapacity, 1 << 20) }

    /// The greatest response that is kept in memory, in bytes.
    var mostBytesInMemory: Int { memoryCapacity / 20 }
}

// MARK: - What is in it

extension ResponseCache {
    /// Returns what is kept for a request, however old it is, with its whole body in memory.
    ///
    /// The header fields of the request count where the response names them in `Vary`.
    public func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let key = CacheKey(request), CacheRules.isKnown(CanonicalRequest.of(request)) else {
            return nil
        }
        let fields = RequestFields(request)
        let codings = AcceptedCodings(request)
        switch look(key, fields, codings) {
        case .nothing: return nil
        case .inMemory(let entry): return CachedURLResponse(entry)
        case .onDisk:
            return queue.sync { read(key, fields, codings) }.flatMap(CachedURLResponse.init)
        }
    }

    /// Keeps a response for a request, in the place of one that is there.
    ///
    /// Its owner decides: what Cache-Control says counts only when it is used. Not kept are responses
    /// that are too large, that no GET of an http or https URL gave, redirects and parts of a body, and
    /// those whose `storagePolicy` forbids it. A `userInfo` is kept if it can be a property list.
    public func store(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        let moment = now()
        let request = CanonicalRequest.of(request)
        guard CacheRules.isKnown(request), let key = CacheKey(request),
            let response = StoredResponse(
                cachedResponse,
                key,
                RequestFields(request),
                requestTime: moment,
                responseTime: moment
            )
        else { return }
        store(
            response,
            [UInt8](cachedResponse.data),
            key,
            isInMemoryOnly: cachedResponse.storagePolicy == .allowedInMemoryOnly
        )
    }

    /// Takes out everything that is kept for the URL of a request.
    public func removeCachedResponse(for request: URLRequest) {
        if let key = CacheKey(request) { remove(key) }
    }

    /// Takes out everything.
    public func removeAll() {
        let names = state.withLock { state in
            let names = state.disk.names
            state.memory = CacheShelf(capacity: memoryCapacity)
            state.disk = CacheShelf(capacity: diskCapacity)
            return names
        }
        removeFiles(names)
    }

    /// Waits until everything that was kept before is in its file; does nothing without a folder.
    public func flush() {
        if folder != nil { queue.sync {} }
    }
}

// MARK: - Equality

extension ResponseCache: Equatable {
    /// A cache is equal to itself alone.
    public static func == (one: ResponseCache, other: ResponseCache) -> Bool { one === other }
}
