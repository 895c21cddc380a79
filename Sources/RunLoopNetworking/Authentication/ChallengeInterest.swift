internal import CurlTransfers
internal import FoundationNetworking

/// Which questions about credentials a delegate may have an answer of its own to.
///
/// On Apple's systems the loader looks which methods a delegate has. Here it learns from the defaults of
/// the protocol (``UnansweredQuestions``), so that a load waits for nobody who has nothing to say.
struct ChallengeInterest: Sendable {
    /// Whether it may answer `connectionShouldUseCredentialStorage`.
    let coversStorage: Bool

    /// Who decides on servers' certificates.
    let owner: TrustOwner?

    private let answersAll: Bool
    private let choosesMethods: Bool
    private let answersChosen: Bool

    init(of delegate: AnyObject?) {
        let mayAnswer = { UnansweredQuestions.mayAnswer($0, delegate) }
        coversStorage = mayAnswer(.credentialStorage)
        owner = delegate.map { TrustOwner($0) }
        answersAll = mayAnswer(.willSendRequestForChallenge)
        choosesMethods = mayAnswer(.canAuthenticate)
        answersChosen = mayAnswer(.didReceiveChallenge)
    }

    /// Whether it may answer a challenge of a method.
    ///
    /// Without `willSendRequestFor` the older pair is asked, and the first of the two stands for false
    /// where a method belongs to TLS.
    func covers(_ method: String) -> Bool {
        if answersAll { return true }
        guard answersChosen else { return false }
        return choosesMethods || !AuthenticationMethod.isOfTLS(method)
    }
}
