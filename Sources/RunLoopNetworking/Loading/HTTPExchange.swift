internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// One HTTP request and its response, by a transfer of libcurl.
///
/// It reads the head, decides what becomes of the response (``ResponseFate``), and hands the body on.
final class HTTPExchange: Exchange, @unchecked Sendable {
    // Loop affinity; Sendable so that a delegate's answer can find it again.
    let load: Load
    let transferRequest: TransferRequest

    /// What the request has to do with the cache; nil where there is none.
    private let visit: CacheVisit?
    private(set) var transfer: Transfer?
    private(set) var parser = HeadParser()

    /// A head that may not be the answer's, until a body or an end shows that it is.
    private var undecidedHead: HeaderBlock?

    /// How many heads were not the answer's.
    private var passedHeadCount = 0

    /// Whether the body of the last head is decoded, as soon as that is decided.
    private var isDecoded: Bool?

    /// A transfer that this one continues, or that keeps what a retry can use.
    private var continued: Transfer?

    private var announcedLength: Int64?

    private var fate = ResponseFate.deliver
    private var discardedBytes = 0

    /// What makes responses of the body's parts; nil for a body that has none. HTTPExchange+Parts
    var parts: MixedReplaceBody?

    /// What libcurl will report as its own failure is the consequence of this one.
    private(set) var failure: Failure?

    // HTTPExchange+Body
    let reader: BodyReader?
    var toldSent: Int64 = 0

    /// How much of a body that nobody wants is read so that the network connection can be used again.
    private static let discardLimit = 16 << 10

    /// How many requests libcurl may make of one: a server can ask for ever.
    private static let passedHeadLimit = 10

    /// Makes an exchange for the load's request.
    ///
    /// - Throws: ``Failure`` when the request can't be sent.
    init(
        load: Load,
        visit: CacheVisit? = nil,
        continuing continued: Transfer? = nil
    ) throws(Failure) {
        self.load = load
        self.visit = visit
        self.continued = continued
        let request = CacheRules.outgoing(load.requestToSend)
        var wanted = try TransferRequest(
            visit?.outgoing(request) ?? request,
            settings: load.loader.settings
        )
        wanted.needsFreshConnection = load.needsFreshConnection
        let streamed = try StreamedBody(load.request)
        reader = streamed.map { BodyReader($0) }
        if let reader { wanted.body = .source(reader, length: streamed?.length) }
        try load.authentication.complete(&wanted)
        load.trust.complete(&wanted, for: load.request.url, load.challengeInterest)
        transferRequest = wanted
    }

    func start() {
        let transfer = Transfer(
            request: transferRequest,
            delegate: self,
            continuing: continued
        )
        continued = nil
        transfer.isObserved = load.observation != nil
        self.transfer = transfer
        attachReader()
        load.loader.multi?.add(transfer)
    }

    func resumeReading() {
        if let transfer { load.loader.multi?.resume(transfer) }
    }

    /// Lets a handshake go on that waited for an answer.
    func proceed(isShared: Bool) {
        if let transfer { load.loader.multi?.proceed(transfer, isShared: isShared) }
    }

    func stop() {
        removeTransfer()
        detachReader()
    }

    /// Ends the transfer and leaves the body as it is.
    func removeTransfer() {
        if let transfer { load.loader.multi?.remove(transfer) }
        transfer = nil
    }
}

// MARK: - The head, and what becomes of the response

extension HTTPExchange {
    private func receive(_ head: HeaderBlock) {
        endSending(at: head)
        if receive(refusalIn: head) { return }
        if let visit, let stored = visit.received(head) {
            load.tell(.cache(head.statusCode == 304 ? .confirmed : .answers))
            fate = .discard(then: .serve(stored, visit.cache))
            return
        }
        switch RedirectRules.decide(on: head, to: load.request, count: load.redirectCount) {
        case .deliver:
            deliver(head)
        case .follow(let next) where load.isAskedBeforeSending:
            guard let response = response(for: head) else { return }
            hold(response)
            load.ask {
                .willSend(next, response, answer: $0)
            } then: { [self] (answer: URLRequest?) in
                decide(answer.map { .discard(then: .follow($0)) } ?? .deliver)
            }
        case .follow(let next):
            fate = .discard(then: .follow(next))
        case .fail(let failure):
            self.failure = failure
        }
    }

    private func deliver(_ head: HeaderBlock) {
        switch continuation(for: head) {
        case .append: break
        case .deliver:
            guard let response = response(for: head) else { return }
            load.resumption.begins(
                with: head,
                to: load.request,
                expected: response.expectedContentLength
            )
            if beginParts(of: response) { return }
            visit?.willDeliver(head, response)
            load.emit(.response(response))
        case .discard(let successor): fate = .discard(then: successor)
        case .fail(let failure): self.failure = failure
        }
    }

    /// Keeps a response until it is known what becomes of it.
    func hold(_ response: URLResponse) {
        fate = .held(response, outcome: nil)
    }

    /// Keeps what libcurl knows of the transfer for a retry.
    func keepTransfer() {
        transfer?.keepForContinuation()
        continued = transfer
    }

    func response(for head: HeaderBlock) -> LoadedHTTPURLResponse? {
        let isDecoded = isDecoded ?? decode(head)
        self.isDecoded = isDecoded
        let response = load.request.url.flatMap {
            LoadedHTTPURLResponse(url: $0, headers: head, isDecoded: isDecoded)
        }
        if response == nil {
            failure = Failure(.cannotParseResponse, "Foundation takes no such response.")
        }
        return response
    }

    /// Returns whether there is anything to take off the body.
    private func decode(_ head: HeaderBlock) -> Bool {
        let codings = AcceptedCodings(load.requestToSend).steps(for: head.contentCodings)
        transfer?.decode(codings)
        return !codings.isEmpty
    }

    /// It is known what is to become of the response that was held.
    func decide(_ fate: ResponseFate) {
        guard case .held(let response, let outcome) = self.fate else { return }
        self.fate = fate
        if case .deliver = fate {
            failure = load.lossBeforeRest
            if failure == nil, !beginParts(of: response) { load.emit(.response(response)) }
        }
        if let outcome {
            complete(outcome)
        } else {
            // If it was not paused yet, it goes on by itself.
            resumeReading()
        }
    }

    private func complete(_ outcome: TransferOutcome) {
        if outcome.code == .abortedByCallback, failure == nil {
            load.fail(Load.shutDown)
        } else if foundDeadConnection(outcome) {
            load.sendAgain()
        } else if case .discard(.follow(let next)) = fate {
            load.follow(next)
        } else if case .discard(.serve(let stored, let cache)) = fate {
            load.goOn(with: StoredExchange(load: load, cache: cache, entry: stored))
        } else if case .discard(.retry) = fate {
            load.retry(continuing: continued)
        } else if case .discard(.startOver) = fate {
            load.startOver()
        } else if case .discard(.finish) = fate {
            load.finish()
        } else if case .held(let response, _) = fate, outcome.code == .ok || !load.isChallenged {
            fate = .held(response, outcome: outcome)
        } else if let failure {
            load.fail(failure)
        } else if parts != nil {
            finishParts(outcome)
        } else if outcome.code != .ok, let visit, let stored = visit.failed() {
            load.tell(.cache(.answers))
            load.goOn(with: StoredExchange(load: load, cache: visit.cache, entry: stored))
        } else if outcome.code != .ok {
            if receive(refusalOfTunnel: outcome) || receive(refusalOfServer: outcome) { return }
            let proxy = transferRequest.proxy
            load.lose(Failure(outcome, announcedLength: announcedLength, proxy: proxy))
        } else if !parser.isOver {
            // libcurl takes a head that is cut off for a response without a body.
            load.lose(Failure(.networkConnectionLost, "The response ended inside its head."))
        } else if let visit {
            visit.finish()
        } else {
            load.finish()
        }
    }
}

// MARK: - TransferDelegate

extension HTTPExchange: TransferDelegate {
    func transferDidBegin(_ transfer: Transfer) {
        load.touch()
    }

    func transferDidMakeProgress(_ transfer: Transfer) {
        // Another load may share the socket later on: from the response on only its own bytes count.
        if !parser.hasBegun { load.touch() }
    }

    func transfer(_ transfer: Transfer, didReach milestone: TransferMilestone) {
        tell(milestone)
    }

    func transfer(_ transfer: Transfer, didReceiveHeaderLine line: [UInt8]) -> Bool {
        load.touch()
        do throws(HeaderError) {
            if undecidedHead != nil, HeaderBlock(statusLine: line) != nil { passHead() }
            if case .head(let head) = try parser.append(line) { try take(head) }
        } catch {
            failure = Failure(error)
        }
        return failure == nil
    }

    private func take(_ head: HeaderBlock) throws(HeaderError) {
        announcedLength = try head.announcedLength()
        if head.isFramingSuspicious { transfer?.forbidReuse() }
        load.loader.settings.cookieStore?.store(head, for: load.request)
        isDecoded = nil
        guard mayBeAnsweredByLibcurl(head) else { return receive(head) }
        // How its body is coded has to be known before the body comes.
        isDecoded = decode(head)
        undecidedHead = head
    }

    /// libcurl has answered a head by itself: what comes now is another response.
    private func passHead() {
        undecidedHead = nil
        parser = HeadParser()
        passedHeadCount += 1
        guard passedHeadCount > Self.passedHeadLimit else { return }
        failure = Failure(
            .badServerResponse,
            "The server or the proxy asks for more than \(Self.passedHeadLimit) steps to let a user in."
        )
    }

    /// Nothing has come that would show the last head to be another one's than the answer's.
    private func decideHead() {
        guard let head = undecidedHead else { return }
        undecidedHead = nil
        receive(head)
    }

    func transfer(_ transfer: Transfer, willReceive count: Int) -> ReceiveAnswer {
        load.touch()
        decideHead()
        if failure != nil { return .stop }
        switch fate {
        case .deliver:
            break
        case .held:
            load.suspendIdleClock()
            return .pause
        case .discard:
            discardedBytes += count
            return discardedBytes <= Self.discardLimit ? .discard : .stop
        }
        // Cancelled, and the job that takes the transfer out comes later: a bomb would not wait for it.
        guard !load.isCancelled else { return .stop }
        if let visit, !visit.hasRoom {
            load.suspendIdleClock()
            return .pause
        }
        return load.room(for: count) ? .take : .pause
    }

    func transfer(_ transfer: Transfer, didReceive piece: SlabPiece) {
        if parts != nil { return deliver(piece) }
        visit?.record(piece)
        load.emit(.data(piece))
    }

    func transfer(_ transfer: Transfer, didCompleteWith outcome: TransferOutcome) {
        guard !load.isOver else { return }
        // With its body gone, libcurl could not go on from this head: it is left to be answered here.
        let isLeft = undecidedHead != nil && outcome.code == .sendFailedToRewind
        decideHead()
        tellFigures(of: outcome)
        self.transfer = nil
        detachReader()
        if failure == nil { failure = reader?.failure }
        complete(isLeft ? TransferOutcome(code: .ok) : outcome)
    }
}
