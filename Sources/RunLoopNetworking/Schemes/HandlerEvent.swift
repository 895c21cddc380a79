internal import Foundation
internal import FoundationNetworking

/// What a registered handler tells its client.
enum HandlerEvent: Sendable {
    case redirect(URLRequest, URLResponse)
    case response(URLResponse)
    case data(Data)
    case challenge(URLAuthenticationChallenge)
    case challengeWithdrawn(URLAuthenticationChallenge)
    case finished
    case failed(any Error)
}
