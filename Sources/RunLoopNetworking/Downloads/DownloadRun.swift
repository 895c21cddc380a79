internal import Digests
internal import Dispatch
internal import EventLoops
internal import Foundation
internal import FoundationNetworking

/// The work of one ``FileDownload``: its requests, one after another, and the file that they fill.
///
///     open the partial file ──► request ──► head: ResumeRules ──► body: FileWriter ──► place the file
///              ▲                                                       │
///              └───────────────── wait, or pause ◄──── lost ───────────┘
///
/// Everything happens on a serial queue of its own, which may wait for the disk. The connection delivers on
/// another queue that has this one as its target, and stands still while the writer has no room.
final class DownloadRun: @unchecked Sendable {
    // Only the queue changes what is not a constant; start, pause, resume and cancel hand a job to it.
    enum Phase {
        case waiting
        case loading
        /// The file is being closed; what comes next is known then.
        case closing
        case betweenTries
        case paused
        case over
    }

    let request: URLRequest
    let target: String
    let options: DownloadOptions
    let loop: EventLoop
    private let mailbox: DownloadMailbox
    private let queue = DispatchQueue(label: "RunLoopNetworking.FileDownload")
    private let delivery: DownloadDelivery

    var phase = Phase.waiting
    var place: DownloadPlace?
    var opened: PartialFile.Opened?
    /// Whether the partial file was this download's own at any time.
    var hasOpened = false
    var state: DownloadState?
    var rules = ResumeRules()

    // One try
    var current: DownloadTry?
    var connection: NSURLConnection?
    var writer: FileWriter?
    var expected: ExpectedBody?
    var digests: [Digest] = []
    var length: Int64 = 0
    var lengthAtSync: Int64 = 0
    var lengthAtRequest: Int64 = 0

    var failedTries = 0
    var retryTimer: DispatchWorkItem?
    var pauseIsAsked = false
    var limiter: RateLimiter?

    init(
        request: URLRequest,
        target: String,
        options: DownloadOptions,
        mailbox: DownloadMailbox,
        loop: EventLoop
    ) {
        self.request = request
        self.target = target
        self.options = options
        self.mailbox = mailbox
        self.loop = loop
        delivery = DownloadDelivery(target: queue)
        limiter = options.bytesPerSecond.map { RateLimiter(bytesPerSecond: $0, now: .now) }
    }
}

// MARK: - From any thread

extension DownloadRun {
    func start() {
        queue.async { [self] in
            guard phase == .waiting else { return }
            beginTry()
        }
    }

    func pause() {
        queue.async { [self] in
            switch phase {
            case .loading:
                pauseIsAsked = true
                stopConnection()
                closeFile { [self] in tryAgain() }
            case .betweenTries:
                retryTimer?.cancel()
                retryTimer = nil
                rest()
            case .closing:
                pauseIsAsked = true
            case .waiting, .paused, .over:
                break
            }
        }
    }

    func resume() {
        queue.async { [self] in
            pauseIsAsked = false
            guard phase == .paused else { return }
            beginTry()
        }
    }

    func cancel() {
        queue.async { [self] in
            guard phase != .over else { return }
            stopConnection()
            dropFile(removing: true)
            end()
        }
    }
}

// MARK: - On the queue

extension DownloadRun {
    /// Calls back on the queue, if the try is still the current one.
    func onQueue(_ attempt: DownloadTry?, _ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            guard phase != .over, attempt === current else { return }
            body()
        }
    }

    func tell(_ message: DownloadMessage) {
        mailbox.post(message)
    }

    func tellProgress(_ bytes: Int64) {
        tell(.wrote(bytes: bytes, total: length, expected: expected?.total ?? -1))
    }

    /// Opens the partial file and asks for what is missing.
    private func beginTry() {
        phase = .loading
        do throws(FileFailure) {
            let place = try knownPlace()
            guard let partial = place.partial else { return ask(for: nil) }
            let found = try partial.open(
                url: identity,
                replacing: options.discardsOtherDownload && state == nil
            )
            opened = found
            hasOpened = true
            // A part can be asked for with GET alone.
            state = isGet ? found.state : nil
            ask(for: state)
        } catch {
            fail(Failure(error))
        }
    }

    private func knownPlace() throws(FileFailure) -> DownloadPlace {
        if let place { return place }
        let found = try DownloadPlace(target, request, options)
        place = found
        return found
    }

    /// Asks for the file, or for what is missing.
    func ask(for state: DownloadState?) {
        rules = ResumeRules(
            present: state?.present,
            wanted: request.byteRanges,
            needsStrongValidator: options.needsStrongValidator
        )
        if let state, state.total == state.syncedLength, state.syncedLength > 0, rules.wanted == nil
        {
            return takeAsWhole(state)
        }
        lengthAtRequest = state?.syncedLength ?? 0
        var request = request
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for (name, value) in rules.requestFields {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let next = DownloadTry(self)
        current = next
        let connection = NSURLConnection(
            request: request,
            delegate: next,
            startImmediately: false,
            loop: loop
        )
        self.connection = connection
        connection?.setDelegateQueue(delivery.queue)
        connection?.start()
    }

    /// Ends the request whose answer is of no more use.
    func stopConnection() {
        current = nil
        connection?.cancel()
        connection = nil
        delivery.releaseAll()
    }

    /// Holds back what comes until it is released.
    func hold(_ reason: DownloadDelivery.Hold) {
        delivery.hold(reason)
    }

    /// Lets what was held back go on.
    func release(_ reason: DownloadDelivery.Hold) {
        queue.async { [delivery] in delivery.release(reason) }
    }

    /// Lets what was held back go on after a time.
    func release(_ reason: DownloadDelivery.Hold, after delay: Duration) {
        let (seconds, attoseconds) = delay.components
        let time = Double(seconds) + Double(attoseconds) * 1e-18
        queue.asyncAfter(deadline: .now() + time) { [delivery] in delivery.release(reason) }
    }

    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let item = DispatchWorkItem(block: body)
        retryTimer = item
        let time = Double(seconds) + Double(attoseconds) * 1e-18
        queue.asyncAfter(deadline: .now() + time, execute: item)
    }

    /// Tries once more, after a failure or for the rest, unless the owner wants a pause.
    func tryAgain() {
        retryTimer = nil
        if pauseIsAsked { rest() } else { beginTry() }
    }

    func rest() {
        phase = .paused
        pauseIsAsked = false
        tell(.paused)
    }

    /// Lets go of everything; nothing follows.
    func end() {
        phase = .over
        // It knows this object, which knows it.
        retryTimer?.cancel()
        retryTimer = nil
        current = nil
        connection = nil
        delivery.releaseAll()
    }
}

// MARK: - The request

extension DownloadRun {
    var isGet: Bool { request.httpMethod ?? "GET" == "GET" }

    /// What the partial file belongs to: the URL, and what else makes another file of it.
    var identity: String {
        let method = isGet ? nil : request.httpMethod
        return [method, request.url?.absoluteString, request.value(forHTTPHeaderField: "Range")]
            .compactMap(\.self).joined(separator: " ")
    }
}
