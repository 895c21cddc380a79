internal import FoundationNetworking

extension Message {
    /// The message as an observer hears of it.
    var observed: ObservedMessage {
        switch self {
        case .willSend: .willSend
        case .willCache(let proposed, _): .willCache(count: proposed.data.count)
        case .credentialStorage: .credentialStorage
        case .challenge: .challenge
        case .challengeWithdrawn: .challengeWithdrawn
        case .needNewBodyStream: .needNewBodyStream
        case .sentBody(let sent): .sentBody(total: Int(sent.total))
        case .response(let response):
            .response(status: (response as? HTTPURLResponse)?.statusCode ?? 0)
        case .data(let piece): .data(count: piece.count)
        case .wroteData(let written): .wroteData(total: written.total)
        case .resumedDownload(let total, _): .resumedDownloading(total: total)
        case .finished: .finished
        case .finishedDownload: .finishedDownloading
        case .failed: .failed
        }
    }
}
