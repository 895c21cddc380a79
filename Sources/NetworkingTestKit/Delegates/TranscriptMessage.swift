public import Foundation

/// One message of a conversation, as a value that tests compare.
public enum TranscriptMessage: Sendable, Equatable {
    /// A challenge: its protection space's method, and how often answers have failed before.
    ///
    /// Only delegates that were made to answer challenges have it in their transcript.
    case challenge(String, failures: Int)

    /// `connection(_:didCancel:)`, by a delegate that was made to answer challenges.
    case challengeWithdrawn

    /// `connection(_:didSendBodyData:…)`; how many bytes of the body have gone out in all.
    case sentBody(Int)

    /// `connection(_:needNewBodyStream:)`.
    case needNewBodyStream

    /// `connection(_:didReceive:)` with a response; the status, or 0 when it is no HTTP response.
    case response(Int)

    /// `connection(_:didReceive:)` with data; how many bytes.
    case data(Int)

    /// `connectionDidFinishLoading(_:)`.
    case finished

    /// `connection(_:didFailWithError:)`; the code, or `.unknown` when it is no `URLError`.
    case failed(URLError.Code)

    /// Whether nothing may follow.
    public var isTerminal: Bool {
        switch self {
        case .finished, .failed: true
        case .challenge, .challengeWithdrawn, .sentBody, .needNewBodyStream: false
        case .response, .data: false
        }
    }
}

extension TranscriptMessage: CustomStringConvertible {
    /// The message as it would be written in a test.
    public var description: String {
        switch self {
        case .challenge(let method, let failures): ".challenge(\(method), failures: \(failures))"
        case .challengeWithdrawn: ".challengeWithdrawn"
        case .sentBody(let total): ".sentBody(\(total))"
        case .needNewBodyStream: ".needNewBodyStream"
        case .response(let status): ".response(\(status))"
        case .data(let count): ".data(\(count))"
        case .finished: ".finished"
        case .failed(let code): ".failed(\(code.rawValue))"
        }
    }
}
