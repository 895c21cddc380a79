public import EventLoops
public import Foundation
public import FoundationNetworking

/// One load of a URL, told to a delegate message by message.
///
/// ```swift
/// let connection = NSURLConnection(request: URLRequest(url: url), delegate: downloader)
/// RunLoop.current.run()
/// ```
///
/// The load runs on an ``EventLoops/EventLoop``; the delegate hears of it on the run loop that the
/// connection was made or started on, in the default mode, unless it is given a queue
/// (``setDelegateQueue(_:)-(OperationQueue?)``), scheduled elsewhere (``schedule(in:forMode:)``) or
/// told another ``Delivery``.
///
/// From its start to its last message a connection keeps itself and its delegate alive, and the run
/// loops that it is scheduled on running. It loads once: make another one to load again. Every method
/// may be called from any thread.
///
/// - SeeAlso: <https://developer.apple.com/documentation/foundation/nsurlconnection>
open class NSURLConnection: NSObject, @unchecked Sendable {
    // Constants and guarded values; a subclass that adds state guards it by itself.
    private struct State {
        var lifeCycle = ConnectionLifeCycle()
        var currentRequest: URLRequest
        /// Whether a queue, or the loop, was chosen after the last scheduling on a run loop.
        var hasDelivery = false
    }

    /// The request as it was passed in.
    public let originalRequest: URLRequest

    /// The loop that the load runs on.
    public let loop: EventLoop

    private let state: Guarded<State>
    private let mailbox: Mailbox
    private let runLoops = RunLoopDelivery()
    private let load: Load

    /// Makes a connection and starts it.
    ///
    /// It is scheduled on the calling thread's run loop in the default mode.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/init(request:delegate:)>.
    public convenience init?(request: URLRequest, delegate: Any?) {
        self.init(request: request, delegate: delegate, startImmediately: true)
    }

    /// Makes a connection, and starts it unless it is told to wait for ``start()``.
    ///
    /// One that is started at once is scheduled on the calling thread's run loop in the default
    /// mode. One that waits is scheduled nowhere, so that its owner can say where.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/init(request:delegate:startimmediately:)>.
    public convenience init?(request: URLRequest, delegate: Any?, startImmediately: Bool) {
        self.init(
            request: request,
            delegate: delegate,
            startImmediately: startImmediately,
            loop: .shared
        )
    }

    /// Makes a connection whose load runs on `loop`.
    ///
    /// The shared loop is started by the first connection that needs it. Any other loop is started
    /// by its owner; until then the load waits.
    public init?(request: URLRequest, delegate: Any?, startImmediately: Bool, loop: EventLoop) {
        originalRequest = request
        self.loop = loop
        state = Guarded(State(currentRequest: request))
        let loader = Loader.of(loop)
        let receiver = Receiver(delegate: delegate)
        mailbox = Mailbox(
            receiver: receiver,
            limit: loader.settings.waitingBytes,
            limitInAll: loader.settings.waitingBytesInAll,
            inAll: loader.waitingBytes
        )
        load = Load(
            request: request,
            mailbox: mailbox,
            loader: loader,
            isAskedBeforeSending: receiver.isAskedBeforeSending,
            challengeInterest: receiver.challengeInterest,
            hearsSentBody: receiver.hearsSentBody,
            isAskedBeforeCaching: receiver.isAskedBeforeCaching,
            isDownload: receiver.isDownload
        )
        super.init()
        if startImmediately { start() }
    }

    /// Tells connections of this process apart; observers are told it (``ConnectionObserver``).
    public var number: Int { load.number }

    /// The request that is loaded now: another one than the original after a redirect.
    public var currentRequest: URLRequest { state.withLock { $0.currentRequest } }

    /// Begins the load; does nothing when it has begun, or is over.
    ///
    /// A connection that was neither scheduled nor given a queue is scheduled on the calling
    /// thread's run loop in the default mode.
    open func start() {
        let (starts, needsRunLoop) = state.withLock { state in
            (state.lifeCycle.start(), !state.hasDelivery && !runLoops.isScheduled)
        }
        guard starts else { return }
        mailbox.open(for: self) { [load] in load.resumeReading() }
        if needsRunLoop { runLoops.scheduleOnCurrent() }
        runLoops.attach()
        // Nothing has been posted yet: with the lock held no delivery can begin here.
        state.withLock { state in
            if !state.hasDelivery { mailbox.setContext(runLoops) }
        }
        if loop === EventLoop.shared { loop.startUnlessBegun() }
        load.begin { [weak self] request in
            self?.state.withLock { $0.currentRequest = request }
        }
    }

    /// Ends the load; the delegate is let go of and hears nothing more.
    ///
    /// Called where the messages are delivered, for example inside one, none follows, not even one
    /// that was on its way. Called from another thread, a message that is being told may still be
    /// running when this returns, and none follows it. There is no message for the cancel itself.
    /// Cancelling a connection that has not started, or is over, does nothing more.
    open func cancel() {
        guard mailbox.cancel() else { return }
        didEnd()
        load.cancel()
    }

    /// The last message was told, or the owner has cancelled.
    func didEnd() {
        _ = state.withLock { $0.lifeCycle.end() }
        runLoops.detach()
    }
}

// MARK: - Where the delegate hears

extension NSURLConnection {
    /// Delivers messages on a run loop, in one of its modes; may be called for several.
    ///
    /// Each message is delivered once, on whichever scheduled run loop first runs in a scheduled
    /// mode; until one does, messages wait. It takes back an earlier choice of a queue.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/schedule(in:formode:)>.
    public func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        let isStarted = state.withLock { state in
            state.hasDelivery = false
            return state.lifeCycle.isStarted
        }
        runLoops.schedule(in: runLoop, forMode: mode)
        if isStarted { mailbox.setContext(runLoops) }
    }

    /// Delivers messages no more on a run loop in one mode; a connection that is over needs no call.
    ///
    /// Called inside a message there, the next ones wait for the places that are left, or for a new
    /// one.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/unschedule(from:formode:)>.
    public func unschedule(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        runLoops.unschedule(from: runLoop, forMode: mode)
        let isDelivering = state.withLock { $0.lifeCycle.isStarted && !$0.hasDelivery }
        // Ends a drain that is under way on the place that was left.
        if isDelivering { mailbox.setContext(runLoops) }
    }

    /// Delivers messages as operations of `queue`; nil takes the choice back.
    ///
    /// Messages stay in order on a queue that runs several operations at once. Called after the
    /// start, messages that were not yet told go to the queue. A run loop that the connection was
    /// scheduled on is kept running until the end, as before.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/setdelegatequeue(_:)>.
    public func setDelegateQueue(_ queue: OperationQueue?) {
        if let queue {
            setDelivery(.operationQueue(queue))
        } else {
            let isStarted = state.withLock { state in
                state.hasDelivery = false
                return state.lifeCycle.isStarted
            }
            guard isStarted else { return }
            if !runLoops.isScheduled { runLoops.scheduleOnCurrent() }
            mailbox.setContext(runLoops)
        }
    }

    /// Delivers messages as blocks of `queue`, in order also on a concurrent one.
    public func setDelegateQueue(_ queue: DispatchQueue) {
        setDelivery(.dispatchQueue(queue))
    }

    /// Delivers messages as `delivery` says, from the next one on.
    public func setDelivery(_ delivery: Delivery) {
        state.withLock { $0.hasDelivery = true }
        switch delivery {
        case .operationQueue(let queue): mailbox.setContext(OperationQueueDelivery(queue))
        case .dispatchQueue(let queue): mailbox.setContext(DispatchQueueDelivery(queue))
        case .onLoop: mailbox.setContext(LoopDelivery(loop))
        }
    }
}
