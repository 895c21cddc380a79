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
    private(set) var transfer: Transfer?
    private(set) var parser: HeadParser
    private var announcedLength: Int64?

    private var fate = ResponseFate.deliver
    private var discardedBytes = 0

    /// What libcurl will report as its own failure is the consequence of this one.
    private(set) var failure: Failure?

    // HTTPExchange+Body
    let reader: BodyReader?
    var toldSent: Int64 = 0

    /// How much of a body that nobody wants is read so that the network connection can be used again.
    private static let discardLimit = 16 << 10

    /// Makes an exchange for the load's request.
    ///
    /// - Throws: ``Failure`` when the request can't be sent.
    init(load: Load) throws(Failure) {
        self.load = load
        var wanted = try TransferRequest(load.request, settings: load.loader.settings)
        wanted.needsFreshConnection = load.needsFreshConnection
        let streamed = try StreamedBody(load.request)
        reader = streamed.map { BodyReader($0) }
        if let reader { wanted.body = .source(reader, length: streamed?.length) }
        transferRequest = wanted
        parser = HeadParser(isProxyAnswered: wanted.proxy?.user != nil)
    }

    func start() {
        let transfer = Transfer(request: transferRequest, delegate: self)
        transfer.isObserved = load.observation != nil
        self.transfer = transfer
        attachReader()
        load.loader.multi?.add(transfer)
    }

    func resumeReading() {
        if let transfer { load.loader.multi?.resume(transfer) }
    }

    func stop() {
        if let transfer { load.loader.multi?.remove(transfer) }
        transfer = nil
        detachReader()
    }
}

// MARK: - The head, and what becomes of the response

extension HTTPExchange {
    private func receive(_ head: HeaderBlock) throws(HeaderError) {
        announcedLength = try head.announcedLength()
        if head.isFramingSuspicious { transfer?.forbidReuse() }
        endSending(at: head)
        load.loader.settings.cookieStore?.store(head, for: load.request)
        switch RedirectRules.decide(on: head, to: load.request, count: load.redirectCount) {
        case .deliver:
            if let response = response(for: head) { load.emit(.response(response)) }
        case .follow(let next) where load.isAskedBeforeSending:
            guard let response = response(for: head) else { return }
            fate = .held(response, outcome: nil)
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

    /// Reads a head that was held back until it was sure that no other follows.
    private func receiveHeldHead() {
        guard let head = parser.takeHeld() else { return }
        do throws(HeaderError) {
            try receive(head)
        } catch {
            failure = Failure(error)
        }
    }

    private func response(for head: HeaderBlock) -> LoadedHTTPURLResponse? {
        // The body of a held one has begun: too late to decode it.
        let codings =
            head.statusCode == 407 && transferRequest.proxy?.user != nil
            ? [] : AcceptedCodings(load.request).steps(for: head.contentCodings)
        transfer?.decode(codings)
        let response = load.request.url.flatMap {
            LoadedHTTPURLResponse(url: $0, headers: head, isDecoded: !codings.isEmpty)
        }
        if response == nil {
            failure = Failure(.cannotParseResponse, "Foundation takes no such response.")
        }
        return response
    }

    /// The delegate has answered what is to become of the response that was held.
    private func decide(_ fate: ResponseFate) {
        guard case .held(let response, let outcome) = self.fate else { return }
        self.fate = fate
        if case .deliver = fate { load.emit(.response(response)) }
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
        } else if case .held(let response, _) = fate {
            fate = .held(response, outcome: outcome)
        } else if let failure {
            load.fail(failure)
        } else if outcome.code != .ok {
            let proxy = transferRequest.proxy
            load.fail(Failure(outcome, announcedLength: announcedLength, proxy: proxy))
        } else if !parser.isOver {
            // libcurl takes a head that is cut off for a response without a body.
            load.fail(Failure(.networkConnectionLost, "The response ended inside its head."))
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
            if case .head(let head) = try parser.append(line) { try receive(head) }
        } catch {
            failure = Failure(error)
        }
        return failure == nil
    }

    func transfer(_ transfer: Transfer, willReceive count: Int) -> ReceiveAnswer {
        load.touch()
        receiveHeldHead()
        guard failure == nil else { return .stop }
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
        return load.room(for: count) ? .take : .pause
    }

    func transfer(_ transfer: Transfer, didReceive piece: SlabPiece) {
        load.emit(.data(piece))
    }

    func transfer(_ transfer: Transfer, didCompleteWith outcome: TransferOutcome) {
        guard !load.isOver else { return }
        receiveHeldHead()
        tellFigures(of: outcome)
        self.transfer = nil
        detachReader()
        if failure == nil { failure = reader?.failure }
        complete(outcome)
    }
}
