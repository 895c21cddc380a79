internal import CurlTransfers
internal import EventLoops
internal import Foundation
internal import FoundationNetworking

/// One connection's load on the loop: from the request, over redirects, to the last byte.
///
/// It turns what transfers say into messages, gathers the messages of a turn, and posts them to the
/// connection's mailbox in the flush.
final class Load: @unchecked Sendable {
    // Loop affinity, but for the constants and for begin, resumeReading and cancel, which hand a
    // job to the loop.
    private let mailbox: Mailbox
    let loader: Loader
    private let isAskedBeforeSending: Bool

    private var request: URLRequest
    private var requestDidChange: (@Sendable (URLRequest) -> Void)?
    private var transfer: Transfer?
    private var parser = HeadParser()
    private var announcedLength: Int64?
    private var isOver = false

    /// What libcurl will report as its own failure is the consequence of this one.
    private var failure: Failure?

    private var redirection = Redirection.none
    private var redirectCount = 0
    private var discardedBytes = 0

    /// How much of a redirect's body is read so that the network connection can be used again.
    private static let discardLimit = 16 << 10

    private var outbox = MessageQueue()
    private var isFlushQueued = false

    private var idle: IdleClock
    private var idleTimer: LoopTimer?

    /// Makes a load that has not begun.
    init(request: URLRequest, mailbox: Mailbox, loader: Loader, isAskedBeforeSending: Bool) {
        self.request = request
        self.mailbox = mailbox
        self.loader = loader
        self.isAskedBeforeSending = isAskedBeforeSending
        idle = IdleClock(seconds: request.timeoutInterval)
    }

    private var loop: EventLoop { loader.loop }
}

// MARK: - From any thread

extension Load {
    /// Begins to load, on the loop; `requestDidChange` is called there with each redirect.
    func begin(_ requestDidChange: @escaping @Sendable (URLRequest) -> Void) {
        let isTaken = loop.perform { [self] in
            guard !isOver else { return }
            self.requestDidChange = requestDidChange
            guard loader.add(self) else { return fail(Self.shutDown) }
            prepare()
        }
        // Nobody turns the loop any more, so this thread is the only one here.
        if !isTaken { mailbox.post([.failed(Self.shutDown.error(for: request.url))]) }
    }

    /// Goes on reading after the delegate has caught up.
    func resumeReading() {
        loop.perform { [self] in
            guard !isOver, let transfer else { return }
            idle.resume(at: loop.now)
            armIdleTimer()
            loader.multi?.resume(transfer)
        }
    }

    /// Ends the load without a message.
    func cancel() {
        loop.perform { [self] in
            guard !isOver else { return }
            if let transfer { loader.multi?.remove(transfer) }
            end()
        }
    }
}

// MARK: - On the loop

extension Load {
    private static let shutDown = Failure(
        .cancelled,
        "The loop that this connection loads on was shut down."
    )

    private static let refused = Failure(
        .cancelled,
        "The delegate returned no request to send."
    )

    /// The loop is about to end for good.
    func loopWasShutDown() {
        if !isOver { fail(Self.shutDown) }
    }

    /// Shows the delegate what is about to be sent, then sends it.
    private func prepare() {
        change(to: CanonicalRequest.of(request))
        guard isAskedBeforeSending else { return startTransfer() }
        do throws(Failure) {
            // Nobody is asked about a request that can't be sent anyway.
            _ = try TransferRequest(request, settings: loader.settings)
            ask(nil) { load, answer in
                guard let answer else { return load.fail(Self.refused) }
                load.change(to: answer)
                load.startTransfer()
            }
        } catch {
            fail(error)
        }
    }

    /// Asks the delegate about the next request; `proceed` runs on the loop when it has answered.
    private func ask(
        _ response: URLResponse?,
        about next: URLRequest? = nil,
        _ proceed: @escaping @Sendable (Load, URLRequest?) -> Void
    ) {
        idle.suspend()
        let answer: @Sendable (URLRequest?) -> Void = { [self] answer in
            loop.perform { [self] in
                guard !isOver else { return }
                idle.resume(at: loop.now)
                armIdleTimer()
                proceed(self, answer)
            }
        }
        emit(.willSend(next ?? request, response, answer: answer))
    }

    private func change(to next: URLRequest) {
        request = next
        requestDidChange?(next)
    }

    private func startTransfer() {
        do throws(Failure) {
            let wanted = try TransferRequest(request, settings: loader.settings)
            let transfer = Transfer(request: wanted, delegate: self)
            self.transfer = transfer
            parser = HeadParser()
            // It may have to wait for a place among the network connections.
            idle.rest()
            loader.multi?.add(transfer)
        } catch {
            fail(error)
        }
    }

    private func follow(_ next: URLRequest) {
        redirection = .none
        redirectCount += 1
        discardedBytes = 0
        failure = nil
        change(to: next)
        startTransfer()
    }

    /// The delegate has answered what is to become of a redirect.
    private func redirectWasAnswered(_ next: URLRequest?) {
        guard case .asked(let response, let outcome) = redirection else { return }
        if let next {
            redirection = .following(next)
        } else {
            redirection = .none
            emit(.response(response))
        }
        if let outcome {
            complete(outcome)
        } else if let transfer {
            // If it was not paused yet, it goes on by itself.
            loader.multi?.resume(transfer)
        }
    }

    private func fail(_ failure: Failure) {
        emit(.failed(failure.error(for: request.url)))
        end()
    }

    /// Lets go of everything; messages that were gathered are still posted.
    private func end() {
        isOver = true
        transfer = nil
        idleTimer = nil
        requestDidChange = nil
        loader.remove(self)
    }

    /// Gathers a message for the flush of this turn.
    private func emit(_ message: Message) {
        outbox.append(message)
        guard !isFlushQueued else { return }
        isFlushQueued = true
        loop.atFlush { [self] in
            isFlushQueued = false
            let messages = outbox.takeAll()
            mailbox.post(messages)
        }
    }
}

// MARK: - Time

extension Load {
    /// Something moved on the network.
    private func touch() {
        idle.touch(at: loop.now)
        if idleTimer == nil { armIdleTimer() }
    }

    /// One timer for many touches: when it fires too early it is set anew.
    private func armIdleTimer() {
        switch idle.verdict(at: loop.now) {
        case .wait(let delay):
            idleTimer = loop.timer(after: delay) { [weak self] in self?.idleTimerFired() }
        case .rest:
            idleTimer = nil
        case .expired:
            idleTimerFired()
        }
    }

    private func idleTimerFired() {
        guard !isOver, idle.verdict(at: loop.now) == .expired else { return armIdleTimer() }
        if let transfer { loader.multi?.remove(transfer) }
        fail(Failure(.timedOut, "Nothing moved for \(request.timeoutInterval) seconds."))
    }
}

// MARK: - TransferDelegate

extension Load: TransferDelegate {
    func transferDidBegin(_ transfer: Transfer) {
        touch()
    }

    func transferDidMakeProgress(_ transfer: Transfer) {
        // Another load may share the socket later on: from the response on only its own bytes count.
        if !parser.hasBegun { touch() }
    }

    func transfer(_ transfer: Transfer, didReceiveHeaderLine line: [UInt8]) -> Bool {
        touch()
        do throws(HeaderError) {
            if case .head(let head) = try parser.append(line) { try receive(head) }
        } catch {
            failure = Failure(error)
        }
        return failure == nil
    }

    private func receive(_ head: HeaderBlock) throws(HeaderError) {
        announcedLength = try head.announcedLength()
        if head.isFramingSuspicious { transfer?.forbidReuse() }
        loader.settings.cookieStore?.store(head, for: request)
        switch RedirectRules.decide(on: head, to: request, count: redirectCount) {
        case .deliver:
            if let response = response(for: head) { emit(.response(response)) }
        case .follow(let next) where isAskedBeforeSending:
            guard let response = response(for: head) else { return }
            redirection = .asked(response: response, outcome: nil)
            ask(response, about: next) { load, answer in load.redirectWasAnswered(answer) }
        case .follow(let next):
            redirection = .following(next)
        case .fail(let failure):
            self.failure = failure
        }
    }

    private func response(for head: HeaderBlock) -> LoadedHTTPURLResponse? {
        let codings = AcceptedCodings(request).steps(for: head.contentCodings)
        transfer?.decode(codings)
        let response = request.url.flatMap {
            LoadedHTTPURLResponse(url: $0, headers: head, isDecoded: !codings.isEmpty)
        }
        if response == nil {
            failure = Failure(.cannotParseResponse, "Foundation takes no such response.")
        }
        return response
    }

    func transfer(_ transfer: Transfer, willReceive count: Int) -> ReceiveAnswer {
        touch()
        switch redirection {
        case .none:
            break
        case .asked:
            idle.suspend()
            return .pause
        case .following:
            discardedBytes += count
            return discardedBytes <= Self.discardLimit ? .discard : .stop
        }
        // Cancelled, and the job that takes the transfer out comes later: a bomb would not wait for it.
        guard !mailbox.isOver else { return .stop }
        guard mailbox.reserve(count) else {
            idle.suspend()
            return .pause
        }
        return .take
    }

    func transfer(_ transfer: Transfer, didReceive piece: SlabPiece) {
        emit(.data(piece))
    }

    func transfer(_ transfer: Transfer, didCompleteWith outcome: TransferOutcome) {
        guard !isOver else { return }
        self.transfer = nil
        complete(outcome)
    }

    private func complete(_ outcome: TransferOutcome) {
        if outcome.code == .abortedByCallback, failure == nil {
            fail(Self.shutDown)
        } else if case .following(let next) = redirection {
            follow(next)
        } else if case .asked(let response, _) = redirection {
            redirection = .asked(response: response, outcome: outcome)
        } else if let failure {
            fail(failure)
        } else if outcome.code != .ok {
            fail(Failure(outcome, announcedLength: announcedLength))
        } else if !parser.isOver {
            // libcurl takes a head that is cut off for a response without a body.
            fail(Failure(.networkConnectionLost, "The response ended inside its head."))
        } else {
            emit(.finished)
            end()
        }
    }
}
