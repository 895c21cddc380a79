private import EventLoops
public import Foundation
public import FoundationNetworking
public import RunLoopNetworking

/// A delegate that keeps the transcript of its download.
///
/// ```swift
/// let delegate = RecordingDownloadDelegate()
/// FileDownload(request: server.request("/f"), to: file, delegate: delegate).start()
/// #expect(try await delegate.ended() == [.response(200), .wrote(3, of: 3), .finished("f")])
/// ```
///
/// Any thread.
public final class RecordingDownloadDelegate: Sendable {
    /// A message, without what differs from run to run.
    public enum Message: Equatable, Sendable {
        /// The server has answered with a status.
        case response(Int)
        /// The download goes on at an offset of a file of a length, or -1.
        case resumed(Int64, of: Int64)
        /// The file has so many bytes of so many; several such messages in a row are the last of them.
        case wrote(Int64, of: Int64)
        /// There will be another try.
        case willRetry
        /// The download rests.
        case paused
        /// The file lies under this name.
        case finished(String)
        /// The download has failed.
        case failed(URLError.Code)
    }

    /// What a test does inside a message, on the thread that the delegate is called on.
    public typealias Hook = @Sendable (Message, FileDownload) -> Void

    private struct Record: Sendable {
        var transcript: [Message] = []
        var totals: [Int64] = []
        var delays: [Duration] = []
        var error: (any Error)?
    }

    private let record = Guarded(Record())
    private let hasEnded = Gate()
    private let rests = Gate()
    private let hook: Hook

    /// Makes a delegate that calls a hook inside each message.
    public init(_ hook: @escaping Hook = { _, _ in }) {
        self.hook = hook
    }

    /// The messages so far.
    public var transcript: [Message] { record.withLock { $0.transcript } }

    /// How many bytes the file had, each time that more had come.
    public var totals: [Int64] { record.withLock { $0.totals } }

    /// For how long each new try was waited for.
    public var delays: [Duration] { record.withLock { $0.delays } }

    /// Why the download has failed; nil if it has not.
    public var error: (any Error)? { record.withLock { $0.error } }

    /// Waits for the last message, and returns all there were.
    ///
    /// - Throws: ``WaitError`` when it takes far too long.
    public func ended() async throws -> [Message] {
        try await hasEnded.opened()
        return transcript
    }

    /// Waits for the download to pause, and returns the messages so far.
    ///
    /// - Throws: ``WaitError`` when it takes far too long.
    public func paused() async throws -> [Message] {
        try await rests.opened()
        return transcript
    }

    private func add(_ message: Message, _ download: FileDownload) {
        record.withLock { record in
            if case .wrote(let total, _) = message {
                record.totals.append(total)
                if case .wrote = record.transcript.last { record.transcript.removeLast() }
            }
            record.transcript.append(message)
        }
        hook(message, download)
    }
}

// MARK: - FileDownloadDelegate

extension RecordingDownloadDelegate: FileDownloadDelegate {
    /// Records the status.
    public func download(_ download: FileDownload, didReceive response: URLResponse) {
        add(.response((response as? HTTPURLResponse)?.statusCode ?? 0), download)
    }

    /// Records the offset.
    public func download(
        _ download: FileDownload,
        didResumeAtOffset offset: Int64,
        expectedTotalBytes: Int64
    ) {
        add(.resumed(offset, of: expectedTotalBytes), download)
    }

    /// Records how many bytes there are.
    public func download(
        _ download: FileDownload,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {
        add(.wrote(totalBytesWritten, of: expectedTotalBytes), download)
    }

    /// Records that there will be another try.
    public func download(
        _ download: FileDownload,
        willRetryAfter delay: Duration,
        because error: any Error
    ) {
        record.withLock { $0.delays.append(delay) }
        add(.willRetry, download)
    }

    /// Records the pause.
    public func downloadDidPause(_ download: FileDownload) {
        add(.paused, download)
        rests.open()
    }

    /// Records the name of the file.
    public func download(_ download: FileDownload, didFinishDownloadingTo location: URL) {
        add(.finished(location.lastPathComponent), download)
        hasEnded.open()
    }

    /// Records the failure.
    public func download(_ download: FileDownload, didFailWithError error: any Error) {
        record.withLock { $0.error = error }
        add(.failed((error as? URLError)?.code ?? .unknown), download)
        hasEnded.open()
    }
}
