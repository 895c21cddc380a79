internal import Foundation

// MARK: - Bodies that go on where a file ends

extension HTTPExchange {
    /// What becomes of the response to a request for the rest of a file.
    enum Continuation {
        /// Its body is appended to the file.
        case append
        /// It is a response like the first one.
        case deliver
        case discard(ResponseFate.Successor)
        case fail(Failure)
    }

    /// Decides about the head of a final response.
    func continuation(for head: HeaderBlock) -> Continuation {
        guard load.isDownload, let rules = load.resumption.rules else { return .deliver }
        switch rules.action(for: head) {
        case .append(let body) where body.start == load.download?.length:
            load.downloadGoesOn(body)
            return .append
        case .startAgain where head.statusCode == 200:
            return .deliver
        case .complete:
            return .discard(.finish)
        case .append, .startAgain, .askForWhole:
            return .discard(.startOver)
        case .fail(let failure):
            return .fail(load.resumption.loss ?? failure)
        }
    }
}
