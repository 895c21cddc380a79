internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// A GET that a stored response may answer: the cache is asked first, then the origin if need be.
final class CacheExchange: Exchange, @unchecked Sendable {
    // Loop affinity; Sendable so that what the cache finds can find it again.
    private let load: Load
    private let cache: ResponseCache
    private let fields: RequestFields
    private let network: HTTPExchange

    /// A transfer that the one to the origin continues.
    private let continued: Transfer?
    private var current: (any Exchange)?
    private var isStopped = false

    /// Nothing may be asked of the origin, and nothing else answers.
    static let nothing = Failure(
        .resourceUnavailable,
        "The request may be answered from the cache alone, and nothing there answers it."
    )

    /// Makes an exchange for the load's request.
    ///
    /// - Throws: ``Failure`` when the request can't be sent.
    init(
        load: Load,
        cache: ResponseCache,
        continuing continued: Transfer? = nil
    ) throws(Failure) {
        self.load = load
        self.cache = cache
        self.continued = continued
        fields = RequestFields(of: load)
        network = try HTTPExchange(
            load: load,
            visit: CacheVisit(cache, load, fields),
            continuing: continued
        )
    }

    func start() {
        guard CacheRules.looksForStored(load.request, fields), let url = load.request.url else {
            return decide(nil)
        }
        let key = CacheKey(url)
        let codings = AcceptedCodings(load.request)
        switch cache.look(key, fields, codings) {
        case .nothing: decide(nil)
        case .inMemory(let entry): decide(entry)
        case .onDisk:
            cache.read(key, fields, codings) { [self] entry in
                load.loop.perform { [self] in
                    if !isStopped { decide(entry) }
                }
            }
        }
    }

    func resumeReading() {
        current?.resumeReading()
    }

    func stop() {
        isStopped = true
        current?.stop()
    }

    private func decide(_ entry: StoredEntry?) {
        let decision =
            entry.map { CacheRules.decide(load.request, fields, $0.response, at: cache.now()) }
            ?? CacheRules.decide(load.request, fields)
        switch (decision, entry) {
        case (.serve, let entry?):
            load.tell(.cache(.answers))
            run(StoredExchange(load: load, cache: cache, entry: entry))
        case (.fail, _):
            load.tell(.cache(.hasNothing))
            fail(Self.nothing)
        case (_, let entry?):
            if decision == .validate { load.tell(.cache(.asksServer)) }
            do throws(Failure) {
                let visit = CacheVisit(cache, load, fields, knowing: entry)
                run(try HTTPExchange(load: load, visit: visit, continuing: continued))
            } catch {
                fail(error)
            }
        case (_, nil):
            load.tell(.cache(.hasNothing))
            run(network)
        }
    }

    private func run(_ exchange: any Exchange) {
        current = exchange
        exchange.start()
    }

    private func fail(_ failure: Failure) {
        load.loop.perform { [self] in
            if !isStopped { load.fail(failure) }
        }
    }
}
