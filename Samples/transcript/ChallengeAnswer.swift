import FoundationNetworking
import RunLoopNetworking
import TranscriptFormat

/// How the program answers a challenge.
enum ChallengeAnswer {
    case use(TranscriptOptions.User)
    case accept(ServerTrust)
    case continueWithoutCredential
    case performDefaultHandling

    /// What its line says.
    var name: String {
        switch self {
        case .use, .accept: "use"
        case .continueWithoutCredential: "continue"
        case .performDefaultHandling: "default"
        }
    }

    /// Answers.
    func give(to challenge: URLAuthenticationChallenge) {
        guard let sender = challenge.sender else { return }
        switch self {
        case .use(let user):
            let credential = URLCredential(
                user: user.name,
                password: user.password,
                persistence: .none
            )
            sender.use(credential, for: challenge)
        case .accept(let trust): sender.use(URLCredential(trust: trust), for: challenge)
        case .continueWithoutCredential: sender.continueWithoutCredential(for: challenge)
        case .performDefaultHandling: sender.performDefaultHandling(for: challenge)
        }
    }
}
