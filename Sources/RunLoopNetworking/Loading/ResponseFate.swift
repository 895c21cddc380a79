internal import CurlTransfers
internal import FoundationNetworking

/// What becomes of the response at hand.
enum ResponseFate {
    /// It is the answer.
    case deliver

    /// The delegate has been asked; with libcurl's outcome, if it has come meanwhile.
    case held(URLResponse, outcome: TransferOutcome?)

    /// It is thrown away, and then this is done.
    case discard(then: Successor)

    /// What comes after a response that is thrown away.
    enum Successor {
        case follow(URLRequest)
        /// The same request, with a credential.
        case retry
        /// A response that was kept is the answer.
        case serve(StoredEntry, ResponseCache)
        /// The file of a download is loaded from its beginning once more.
        case startOver
        /// The file of a download is whole as it is.
        case finish
    }
}
