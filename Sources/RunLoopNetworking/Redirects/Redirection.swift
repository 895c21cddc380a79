internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// What becomes of the response at hand.
enum Redirection {
    /// It is delivered.
    case none

    /// It redirects, and the delegate has been asked; libcurl's outcome, if it has come meanwhile.
    case asked(response: URLResponse, outcome: TransferOutcome?)

    /// It is thrown away, and this request is sent.
    case following(URLRequest)
}
