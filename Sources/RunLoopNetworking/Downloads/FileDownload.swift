public import EventLoops
public import Foundation
public import FoundationNetworking

/// A download of a URL to a file, which goes on after a pause, a lost network connection or a crash.
///
/// ```swift
/// let download = FileDownload(request: URLRequest(url: url), to: file, delegate: self)
/// download.start()
/// ```
///
/// The bytes are gathered in a partial file beside the target, `NAME.part`, which only its owner may read,
/// with what is known of them in `NAME.part.state`. The file gets its final name when it is whole, at one
/// stroke: under that name there is never a part of a file. What is there already is kept unless the options
/// say otherwise. A target that is a device, a pipe or the like is written to, and never replaced; a symbolic
/// link stays one.
///
/// From its start to its last message, also while it is paused, a download keeps itself and its delegate
/// alive. Every method may be called from any thread.
public final class FileDownload: Sendable {
    /// The request as it was passed in.
    public let request: URLRequest

    /// Where the file is to lie; for a folder, the server proposes the name.
    public let target: URL

    private let mailbox = DownloadMailbox()
    private let runLoops = RunLoopDelivery()
    private let run: DownloadRun
    private let state: Guarded<State>

    // The delegate is called by one thread at a time: the mailbox sees to that.
    private struct State: @unchecked Sendable {
        var delegate: (any FileDownloadDelegate)?
        var isStarted = false
        /// Whether a queue, or the loop, was chosen.
        var hasDelivery = false
    }

    /// Makes a download, which waits for ``start()``.
    ///
    /// A `target` with a slash at its end is a folder, which must be there; anything else is the file.
    public init(
        request: URLRequest,
        to target: URL,
        options: DownloadOptions = DownloadOptions(),
        delegate: (any FileDownloadDelegate)?,
        loop: EventLoop = .shared
    ) {
        self.request = request
        self.target = target
        state = Guarded(State(delegate: delegate))
        run = DownloadRun(
            request: request,
            target: target.path(percentEncoded: false),
            options: options,
            mailbox: mailbox,
            loop: loop
        )
    }

    /// Begins, or goes on with what an earlier run has left; does nothing when it has begun.
    ///
    /// Unless another ``Delivery`` was set, the messages come on the calling thread's run loop in the
    /// default mode.
    public func start() {
        let (starts, needsRunLoop) = state.withLock { state in
            defer { state.isStarted = true }
            return (!state.isStarted, !state.hasDelivery)
        }
        guard starts else { return }
        mailbox.open { [self] in hear($0) }
        if needsRunLoop {
            runLoops.scheduleOnCurrent()
            runLoops.attach()
            mailbox.setContext(runLoops)
        }
        run.start()
    }

    /// Stops loading, and brings what came to the disk; ``FileDownloadDelegate/downloadDidPause(_:)`` follows.
    ///
    /// Does nothing while the download is paused, or when it is over.
    public func pause() {
        run.pause()
    }

    /// Goes on after a pause; does nothing otherwise.
    public func resume() {
        run.resume()
    }

    /// Ends the download, and removes what came; the delegate hears nothing more.
    ///
    /// Use ``pause()`` to keep what came. A download that is over is not changed.
    public func cancel() {
        guard mailbox.cancel() else { return }
        didEnd()
        run.cancel()
    }

    /// Delivers the messages as `delivery` says, from the next one on.
    public func setDelivery(_ delivery: Delivery) {
        state.withLock { $0.hasDelivery = true }
        switch delivery {
        case .operationQueue(let queue): mailbox.setContext(OperationQueueDelivery(queue))
        case .dispatchQueue(let queue): mailbox.setContext(DispatchQueueDelivery(queue))
        case .onLoop: mailbox.setContext(LoopDelivery(run.loop))
        }
    }

    private func hear(_ message: DownloadMessage) {
        guard let delegate = state.withLock({ $0.delegate }) else { return }
        switch message {
        case .response(let response):
            delegate.download(self, didReceive: response)
        case .resumed(let offset, let expected):
            delegate.download(self, didResumeAtOffset: offset, expectedTotalBytes: expected)
        case .wrote(let bytes, let total, let expected):
            delegate.download(
                self,
                didWriteData: bytes,
                totalBytesWritten: total,
                expectedTotalBytes: expected
            )
        case .willRetry(let delay, let error):
            delegate.download(self, willRetryAfter: delay, because: error)
        case .paused:
            delegate.downloadDidPause(self)
        case .finished(let location):
            delegate.download(self, didFinishDownloadingTo: location)
        case .failed(let error):
            delegate.download(self, didFailWithError: error)
        }
        if message.isTerminal { didEnd() }
    }

    private func didEnd() {
        let released = state.withLock { state in
            defer { state.delegate = nil }
            return state.delegate
        }
        withExtendedLifetime(released) {}
        runLoops.detach()
    }
}
