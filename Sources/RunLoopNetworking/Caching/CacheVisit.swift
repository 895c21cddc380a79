internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// What one request to an origin has to do with the cache: the stored response that it asks about,
/// the response that is kept, and those that become void.
///
/// Loop affinity.
final class CacheVisit: @unchecked Sendable {
    // Sendable so that a delegate's answer can find it again.
    let cache: ResponseCache
    private let load: Load
    private let request: URLRequest
    private let requestTime: Date

    /// The header fields of the request as the caller and the cookie store have made them.
    let fields: RequestFields

    /// The stored response that the origin is asked about, or that may stand in for it.
    private let stored: StoredEntry?
    private let question: ConditionalRequest?

    private var recording: (recorder: BodyRecorder, response: LoadedHTTPURLResponse)?
    private var responseTime: Date
    private var hasHead = false

    /// Makes the visit of the load's request, which knows of a stored response, or of none.
    init(
        _ cache: ResponseCache,
        _ load: Load,
        _ fields: RequestFields,
        knowing stored: StoredEntry? = nil
    ) {
        self.cache = cache
        self.load = load
        self.fields = fields
        self.stored = stored
        question = stored.flatMap { ConditionalRequest($0.response) }
        request = load.request
        requestTime = cache.now()
        responseTime = requestTime
    }

    /// The request as it goes out.
    func outgoing(_ request: URLRequest) -> URLRequest {
        question?.applied(to: request) ?? request
    }

    private var key: CacheKey? { request.url.map { CacheKey($0) } }
}

// MARK: - What the origin says

extension CacheVisit {
    /// The head of a response has come; returns the stored response that answers in its place.
    func received(_ head: HeaderBlock) -> StoredEntry? {
        hasHead = true
        responseTime = cache.now()
        for url in CacheRules.invalidated(by: head, to: request) { cache.remove(CacheKey(url)) }
        if request.httpMethod == "HEAD" { update(byHead: head) }
        guard var stored else { return nil }
        if head.statusCode == 304, question != nil {
            stored.response = stored.response.freshened(
                by: head,
                requestTime: requestTime,
                responseTime: responseTime
            )
            cache.update(stored, to: stored.response)
            return stored
        }
        return CacheRules.isFailure(head.statusCode) ? standIn : nil
    }

    /// The load fails before there was a response; returns the stored response that answers in its place.
    func failed() -> StoredEntry? { hasHead ? nil : standIn }

    private var standIn: StoredEntry? {
        stored.flatMap { stored in
            CacheRules.mayStandIn(stored.response, for: fields, at: cache.now()) ? stored : nil
        }
    }

    /// HEAD says what a GET would have said (RFC 9111 section 4.3.5).
    private func update(byHead head: HeaderBlock) {
        guard head.statusCode == 200, let key else { return }
        guard case .inMemory(let entry) = cache.look(key, fields, AcceptedCodings(request)) else {
            // Files are not opened for it.
            return cache.remove(key)
        }
        let updated = entry.response.updated(
            byHead: head,
            requestTime: requestTime,
            responseTime: responseTime
        )
        if let updated { cache.update(entry, to: updated) } else { cache.remove(key) }
    }
}

// MARK: - What is kept

extension CacheVisit {
    /// The response is going to be delivered.
    func willDeliver(_ head: HeaderBlock, _ response: LoadedHTTPURLResponse) {
        guard CacheRules.isKnown(request), let key else { return }
        guard CacheRules.mayStore(head, for: request, fields),
            let vary = VarySelection(head, fields)
        else {
            // What the origin has taken back is not handed out again.
            if stored != nil, CacheRules.isAskedAbout(head) { cache.remove(key) }
            return
        }
        guard response.expectedContentLength <= cache.mostBytes else { return cache.remove(key) }
        let kept = StoredResponse(
            url: key.url,
            head: StorableFields.kept(of: head),
            isDecoded: response.isDecoded,
            vary: vary,
            requestTime: requestTime,
            responseTime: responseTime
        )
        let recorder = BodyRecorder(cache, kept) { [weak load] in load?.resumeReading() }
        recording = (recorder, response)
    }

    /// Whether more of the body may come; if not, the load is told to resume when it may.
    var hasRoom: Bool { recording?.recorder.hasRoom ?? true }

    /// More of the body is going to be delivered.
    func record(_ piece: SlabPiece) {
        recording?.recorder.append(piece)
    }

    /// The whole body has come: the response is kept, if the delegate agrees, and the load finishes.
    func finish() {
        guard let (recorder, response) = recording, let key else { return load.finish() }
        guard load.isAskedBeforeCaching, CacheRules.isAskedAbout(response.headers) else {
            recorder.keep(key)
            load.tell(.cache(.stores))
            return load.finish()
        }
        load.suspendIdleClock()
        recorder.body { [self] body in
            load.loop.perform { [self] in
                guard !load.isOver else { return }
                guard let body else { return load.finish() }
                ask(CachedURLResponse(response: response, data: body), key)
            }
        }
    }

    private func ask(_ proposed: CachedURLResponse, _ key: CacheKey) {
        load.ask {
            .willCache(proposed, answer: $0)
        } then: { [self] (answer: CachedURLResponse?) in
            if let answer { keep(answer, insteadOf: proposed, key) }
            load.finish()
        }
    }

    private func keep(
        _ answer: CachedURLResponse,
        insteadOf proposed: CachedURLResponse,
        _ key: CacheKey
    ) {
        guard answer !== proposed else {
            recording?.recorder.keep(key)
            return load.tell(.cache(.stores))
        }
        let response = StoredResponse(
            answer,
            key,
            fields,
            requestTime: requestTime,
            responseTime: responseTime
        )
        guard let response else { return }
        let isInMemoryOnly = answer.storagePolicy == .allowedInMemoryOnly
        cache.store(response, [UInt8](answer.data), key, isInMemoryOnly: isInMemoryOnly)
        load.tell(.cache(.stores))
    }
}
