internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// Who hears the messages of a connection.
struct Receiver: @unchecked Sendable {
    // The delegate is called by one thread at a time: the mailbox sees to that.
    private let delegate: (any NSURLConnectionDelegate)?
    private let dataDelegate: (any NSURLConnectionDataDelegate)?
    private let downloadDelegate: (any NSURLConnectionDownloadDelegate)?

    /// Nil until the connection starts.
    var connection: NSURLConnection?

    /// Whether the delegate may want to look at each request before it is sent.
    let isAskedBeforeSending: Bool

    /// Which questions about credentials the delegate may answer.
    let challengeInterest: ChallengeInterest

    /// Whether the delegate may want to hear how far its body has gone out.
    let hearsSentBody: Bool

    /// Whether the delegate may want to look at each response before it is kept.
    let isAskedBeforeCaching: Bool

    /// Whether the body goes to a file, and not to the delegate.
    var isDownload: Bool { downloadDelegate != nil }

    init(delegate: Any?) {
        let connectionDelegate = delegate as? any NSURLConnectionDelegate
        self.delegate = connectionDelegate
        challengeInterest = ChallengeInterest(of: connectionDelegate)
        let dataDelegate = delegate as? any NSURLConnectionDataDelegate
        self.dataDelegate = dataDelegate
        downloadDelegate = delegate as? any NSURLConnectionDownloadDelegate
        isAskedBeforeSending = UnansweredQuestions.mayAnswer(.willSend, dataDelegate)
        hearsSentBody = UnansweredQuestions.mayAnswer(.didSendBodyData, dataDelegate)
        isAskedBeforeCaching = UnansweredQuestions.mayAnswer(.willCache, dataDelegate)
    }

    /// Tells the delegate.
    func hear(_ message: Message) {
        guard let connection else { return }
        switch message {
        case .willSend(let request, let response, let answer):
            guard let dataDelegate else { return answer(request) }
            answer(
                dataDelegate.connection(connection, willSend: request, redirectResponse: response)
            )
        case .credentialStorage(let answer):
            answer(delegate?.connectionShouldUseCredentialStorage(connection) ?? true)
        case .challenge(let challenge):
            delegate?.connection(connection, willSendRequestFor: challenge)
        case .challengeWithdrawn(let challenge):
            delegate?.connection(connection, didCancel: challenge)
        case .needNewBodyStream(let request, let answer):
            answer(
                NewBodyStream(dataDelegate?.connection(connection, needNewBodyStream: request))
            )
        case .sentBody(let sent):
            dataDelegate?.connection(
                connection,
                didSendBodyData: Int(sent.bytes),
                totalBytesWritten: Int(sent.total),
                totalBytesExpectedToWrite: Int(sent.expected)
            )
        case .response(let response):
            dataDelegate?.connection(connection, didReceive: response)
        case .willCache(let proposed, let answer):
            guard let dataDelegate else { return answer(proposed) }
            answer(dataDelegate.connection(connection, willCacheResponse: proposed))
        case .data(let piece):
            dataDelegate?.connection(connection, didReceive: Data(piece))
        case .finished:
            dataDelegate?.connectionDidFinishLoading(connection)
        case .wroteData(let written):
            downloadDelegate?.connection(
                connection,
                didWriteData: written.bytes,
                totalBytesWritten: written.total,
                expectedTotalBytes: written.expected
            )
        case .resumedDownload(let total, let expected):
            downloadDelegate?.connectionDidResumeDownloading(
                connection,
                totalBytesWritten: total,
                expectedTotalBytes: expected
            )
        case .finishedDownload(let file):
            downloadDelegate?.connectionDidFinishDownloading(
                connection,
                destinationURL: file.url
            )
            file.remove()
        case .failed(let error):
            delegate?.connection(connection, didFailWithError: error)
        }
    }
}

// MARK: - Data

extension Data {
    /// The bytes of a piece, without copying them; the slab lives as long as the data.
    init(_ piece: SlabPiece) {
        let bytes = unsafe piece.slab.bytes(in: piece.range)
        guard let start = bytes.baseAddress else {
            self.init()
            return
        }
        unsafe self.init(
            bytesNoCopy: start,
            count: bytes.count,
            deallocator: .custom { _, _ in withExtendedLifetime(piece) {} }
        )
    }
}
