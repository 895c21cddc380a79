internal import CurlTransfers
internal import EventLoops
internal import Foundation
internal import FoundationNetworking

/// One connection's load on the loop: from the request, over redirects, to the last byte.
///
///     the request ──► willSend? ──► an exchange ──► the answer: response, data …, finished
///          ▲                             │
///          └────────── a redirect ◄──────┘
///
/// It asks the delegate, chooses by what means the request is loaded (an ``Exchange``), gathers the
/// messages of a turn, and posts them to the connection's mailbox in the flush.
final class Load: @unchecked Sendable {
    // Loop affinity, but for the constants and for begin, resumeReading and cancel, which hand a
    // job to the loop.
    let mailbox: Mailbox
    let loader: Loader
    let isAskedBeforeSending: Bool
    let challengeInterest: ChallengeInterest
    let hearsSentBody: Bool
    let isAskedBeforeCaching: Bool
    let isDownload: Bool

    private(set) var request: URLRequest
    private var requestDidChange: (@Sendable (URLRequest) -> Void)?
    private var exchange: (any Exchange)?
    private(set) var redirectCount = 0

    /// Whether a request found its network connection dead, and is sent once more.
    private(set) var needsFreshConnection = false
    private(set) var isOver = false

    /// The body stream that was given to an exchange: it can't be read once more.
    private var usedBodyStream: InputStream?

    // Load+Means
    var handler: URLProtocol.Type?

    // Load+Messages
    var outbox = MessageQueue()
    var isFlushQueued = false

    // Load+Time
    var idle: IdleClock
    var idleTimer: LoopTimer?

    // Load+Observing
    let number = ConnectionNumber.next()
    var observation: LoadObservation?

    /// What the next exchange can go on with.
    private var continued: Transfer?

    // Load+Authentication
    var authentication = LoadAuthentication()
    var storageConsent = StorageConsent.notAsked

    // HTTPExchange+Trust
    var trust = LoadTrust()

    // Load+Download
    var download: DownloadedFile?
    var resumption = Resumption()
    var retryTimer: LoopTimer?

    // Load+Challenges
    var pendingChallenge: PendingChallenge?
    var challengeCount = 0

    /// Makes a load that has not begun.
    init(
        request: URLRequest,
        mailbox: Mailbox,
        loader: Loader,
        isAskedBeforeSending: Bool,
        challengeInterest: ChallengeInterest,
        hearsSentBody: Bool,
        isAskedBeforeCaching: Bool,
        isDownload: Bool
    ) {
        self.request = authentication.adopt(request)
        self.mailbox = mailbox
        self.loader = loader
        self.isAskedBeforeSending = isAskedBeforeSending
        self.challengeInterest = challengeInterest
        self.hearsSentBody = hearsSentBody
        self.isAskedBeforeCaching = isAskedBeforeCaching
        self.isDownload = isDownload
        idle = IdleClock(seconds: request.timeoutInterval)
    }

    var loop: EventLoop { loader.loop }
}

// MARK: - From any thread

extension Load {
    /// Begins to load, on the loop; `requestDidChange` is called there with each redirect.
    func begin(_ requestDidChange: @escaping @Sendable (URLRequest) -> Void) {
        let isTaken = loop.perform { [self] in
            guard !isOver else { return }
            self.requestDidChange = requestDidChange
            observation = LoadObservation(loader.settings.observers, number: number)
            observation?.change(to: request)
            tell(.started)
            guard loader.add(self) else { return fail(Self.shutDown) }
            prepare()
        }
        // Nobody turns the loop any more, so this thread is the only one here.
        if !isTaken { mailbox.post([.failed(Self.shutDown.error(for: request.url))]) }
    }

    /// Goes on reading after the delegate has caught up.
    func resumeReading() {
        loop.perform { [self] in
            guard !isOver, let exchange else { return }
            resumeIdleClock()
            exchange.resumeReading()
        }
    }

    /// Ends the load without a message.
    func cancel() {
        loop.perform { [self] in
            guard !isOver else { return }
            exchange?.stop()
            willEnd(URLError(.cancelled), isCancelled: true)
            end()
        }
    }
}

// MARK: - On the loop

extension Load {
    static let shutDown = Failure(
        .cancelled,
        "The loop that this connection loads on was shut down."
    )

    private static let refused = Failure(
        .cancelled,
        "The delegate returned no request to send."
    )

    private static let noNewBodyStream = Failure(
        .requestBodyStreamExhausted,
        "The body stream has to be sent once more, and there is no new one; return one from "
            + "connection(_:needNewBodyStream:), or set httpBody."
    )

    /// The loop is about to end for good.
    func loopWasShutDown() {
        guard !isOver else { return }
        exchange?.stop()
        fail(Self.shutDown)
    }

    /// Shows the delegate what is about to be sent, then sends it.
    private func prepare() {
        change(to: CanonicalRequest.of(request))
        findHandler { [self] in
            if isAskedBeforeSending { return askBeforeSending() }
            askAboutStorage()
            beginExchange()
        }
    }

    private func askBeforeSending() {
        do throws(Failure) {
            // Nobody is asked about a request that can't be sent anyway.
            _ = try makeExchange()
            askAboutStorage()
            ask { [request] answer in
                .willSend(request, nil, answer: answer)
            } then: { [self] (answer: URLRequest?) in
                guard let answer else { return fail(Self.refused) }
                // A handler that takes the request still takes the same request.
                let isSame = answer == request
                change(to: answer)
                if isSame { beginExchange() } else { startExchange() }
            }
        } catch {
            fail(error)
        }
    }

    func change(to next: URLRequest) {
        request = authentication.adopt(next)
        observation?.change(to: request)
        requestDidChange?(request)
    }

    private func startExchange() {
        if let stream = request.httpBodyStream, stream === usedBodyStream {
            return askForBodyStream()
        }
        findHandler { [self] in beginExchange() }
    }

    private func beginExchange() {
        do throws(Failure) {
            let exchange = try makeExchange()
            continued = nil
            usedBodyStream = request.httpBodyStream
            self.exchange = exchange
            // It may have to wait for a place among the network connections.
            idle.rest()
            exchange.start()
        } catch {
            fail(error)
        }
    }

    /// The request is sent once more, with a body that was read from a stream.
    private func askForBodyStream() {
        exchange = nil
        ask { [request] answer in
            .needNewBodyStream(request, answer: answer)
        } then: { [self] (answer: NewBodyStream) in
            guard let stream = answer.stream, stream !== usedBodyStream else {
                return fail(Self.noNewBodyStream)
            }
            var next = request
            next.httpBodyStream = stream
            change(to: next)
            startExchange()
        }
    }

    /// Makes an exchange by HTTP, with the cache before it if there is one.
    ///
    /// - Throws: ``Failure`` when the request can't be sent.
    func makeHTTPExchange() throws(Failure) -> any Exchange {
        // What goes to a file is neither kept as well nor taken from what was kept.
        let cache = isDownload ? nil : loader.settings.responseCache
        if let cache, CacheRules.isKnown(request) {
            return try CacheExchange(load: self, cache: cache, continuing: continued)
        }
        guard request.cachePolicy != .returnCacheDataDontLoad else { throw CacheExchange.nothing }
        guard let cache else { return try HTTPExchange(load: self, continuing: continued) }
        let visit = CacheVisit(cache, self, RequestFields(of: self))
        return try HTTPExchange(load: self, visit: visit, continuing: continued)
    }

    /// The request is answered by another means than it was begun with.
    func goOn(with next: any Exchange) {
        exchange = next
        next.start()
    }

    /// The answer to the request is another request.
    func follow(_ next: URLRequest) {
        exchange = nil
        redirectCount += 1
        authentication.followed()
        needsFreshConnection = false
        change(to: next)
        tell(.redirected)
        startExchange()
    }

    /// The network connection had died before the request came to it: it is sent on a new one.
    func sendAgain() {
        needsFreshConnection = true
        restartExchange()
    }

    /// The request is sent once more.
    func restartExchange() {
        exchange = nil
        startExchange()
    }

    /// The request is sent once more, with what the answer to a challenge has added.
    ///
    /// `transfer` is one that libcurl can go on with, if there is one.
    func retry(continuing transfer: Transfer?) {
        exchange = nil
        needsFreshConnection = false
        observation?.change(to: request)
        let isDigest = authentication.server.attempt?.offer.scheme == .digest
        continued = isDigest ? transfer : nil
        startExchange()
    }

    /// The request is sent from the beginning: nothing of it has gone out, and its body is unread.
    func restart() {
        usedBodyStream = nil
        retry(continuing: nil)
    }

    /// The exchange is ended, and something else follows.
    func stopExchange() {
        exchange?.stop()
        exchange = nil
    }

    /// The whole body has come.
    func finish() {
        if isDownload { finishFile() } else { end(with: .finished) }
    }

    /// The whole body is delivered, or in its file.
    func end(with message: Message) {
        emit(message)
        willEnd(nil)
        end()
    }

    /// The load can't be brought to its end; its exchange is over, or was stopped.
    func fail(_ failure: Failure) {
        withdrawChallenge()
        let error = failure.error(for: request.url)
        emit(.failed(error))
        willEnd(error)
        end()
    }

    /// Nothing has moved for too long.
    func idleTimeExpired() {
        exchange?.stop()
        fail(Failure(.timedOut, "Nothing moved for \(request.timeoutInterval) seconds."))
    }

    /// Lets go of everything; messages that were gathered are still posted.
    private func end() {
        isOver = true
        pendingChallenge?.withdraw()
        pendingChallenge = nil
        exchange = nil
        idleTimer = nil
        retryTimer = nil
        download?.abandon()
        download = nil
        requestDidChange = nil
        loader.remove(self)
    }
}
