internal import FoundationNetworking

/// What a delegate may answer to a challenge.
enum ChallengeAnswer: Sendable {
    case use(URLCredential)
    case continueWithoutCredential
    case cancel
    /// As if the delegate had no method for challenges.
    case performDefaultHandling
    /// The next protection space, if the other side names one.
    case rejectProtectionSpace
}
