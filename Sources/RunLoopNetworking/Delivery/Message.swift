internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// One thing that a delegate is told.
enum Message: Sendable {
    /// A question: the loop waits for the answer, which may be given once, on any thread.
    case willSend(URLRequest, URLResponse?, answer: @Sendable (URLRequest?) -> Void)
    /// A question that is asked once, before anything is sent.
    case credentialStorage(answer: @Sendable (Bool) -> Void)
    /// A question whose answer goes to the challenge's sender, whenever it comes.
    case challenge(URLAuthenticationChallenge)
    case challengeWithdrawn(URLAuthenticationChallenge)
    /// A question like the first: the stream to send the body from once more.
    case needNewBodyStream(URLRequest, answer: @Sendable (NewBodyStream) -> Void)
    case sentBody(SentBody)
    case response(URLResponse)
    /// As above: what is to be kept of the response.
    case willCache(CachedURLResponse, answer: @Sendable (CachedURLResponse?) -> Void)
    case data(SlabPiece)
    case wroteData(WrittenData)
    case resumedDownload(total: Int64, expected: Int64)
    case finished
    case finishedDownload(TemporaryFile)
    case failed(URLError)

    /// How many bytes wait in it.
    var byteCount: Int {
        if case .data(let piece) = self { piece.count } else { 0 }
    }

    /// Whether nothing follows.
    var isTerminal: Bool {
        switch self {
        case .finished, .finishedDownload, .failed: true
        case .willSend, .willCache, .credentialStorage, .challenge, .challengeWithdrawn: false
        case .wroteData, .resumedDownload, .needNewBodyStream, .sentBody, .response, .data: false
        }
    }

    /// Takes in what directly goes on where this message ends: bytes, or progress.
    ///
    /// Returns false if it does not.
    mutating func extend(with next: Message) -> Bool {
        switch (self, next) {
        case (.data(var piece), .data(let more)):
            guard piece.extend(with: more) else { return false }
            self = .data(piece)
            return true
        case (.sentBody(var sent), .sentBody(let more)):
            guard sent.extend(with: more) else { return false }
            self = .sentBody(sent)
            return true
        case (.wroteData(var written), .wroteData(let more)):
            guard written.extend(with: more) else { return false }
            self = .wroteData(written)
            return true
        default:
            return false
        }
    }
}
