internal import Foundation
internal import FoundationNetworking

/// One thing that the delegate of a download is told.
enum DownloadMessage: Sendable {
    case response(URLResponse)
    case resumed(offset: Int64, expected: Int64)
    case wrote(bytes: Int64, total: Int64, expected: Int64)
    case willRetry(Duration, any Error)
    case paused
    case finished(URL)
    case failed(any Error)

    /// Whether nothing follows.
    var isTerminal: Bool {
        switch self {
        case .finished, .failed: true
        case .response, .resumed, .wrote, .willRetry, .paused: false
        }
    }

    /// Takes in the progress that follows this one; false if they are not both progress.
    mutating func extend(with next: DownloadMessage) -> Bool {
        guard case .wrote(let bytes, _, _) = self,
            case .wrote(let more, let total, let expected) = next
        else { return false }
        self = .wrote(bytes: bytes + more, total: total, expected: expected)
        return true
    }
}
