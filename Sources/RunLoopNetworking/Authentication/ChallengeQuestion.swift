internal import FoundationNetworking

/// What a delegate is asked when the other side wants to know who is there, or shows who it is.
struct ChallengeQuestion {
    /// Who asks, for what, and by which method.
    let space: URLProtectionSpace

    /// What could be answered; after a failure, what failed.
    var proposedCredential: URLCredential?

    var previousFailureCount = 0

    /// The 401 or 407, where a response asks.
    var response: URLResponse?

    /// What is wrong, where no response asks.
    var error: (any Error)?

    /// The challenge as the delegate gets it.
    func challenge(answeredBy sender: ChallengeSender) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: proposedCredential,
            previousFailureCount: previousFailureCount,
            failureResponse: response,
            error: error,
            sender: sender
        )
    }
}
