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
    case response(URLResponse)
    case data(SlabPiece)
    case finished
    case failed(URLError)

    /// How many bytes wait in it.
    var byteCount: Int {
        if case .data(let piece) = self { piece.count } else { 0 }
    }

    /// Whether nothing follows.
    var isTerminal: Bool {
        switch self {
        case .finished, .failed: true
        case .willSend, .credentialStorage, .challenge, .challengeWithdrawn: false
        case .response, .data: false
        }
    }

    /// Takes in bytes that lie directly behind this message's own; false if they do not.
    mutating func extend(with next: Message) -> Bool {
        guard case .data(var piece) = self, case .data(let more) = next else { return false }
        guard piece.extend(with: more) else { return false }
        self = .data(piece)
        return true
    }
}
