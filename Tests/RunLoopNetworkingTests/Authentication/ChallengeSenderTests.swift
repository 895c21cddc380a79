import EventLoops
import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("The sender of a challenge")
struct ChallengeSenderTests {
    private let answers = Answers()

    private func makeSender() -> ChallengeSender {
        ChallengeSender { [answers] answer in
            let word =
                switch answer {
                case .use(let credential): "use \(credential.user ?? "-")"
                case .continueWithoutCredential: "continue"
                case .cancel: "cancel"
                case .performDefaultHandling: "default"
                case .rejectProtectionSpace: "reject"
                }
            answers.add(word)
        }
    }

    private func makeChallenge(_ sender: ChallengeSender) -> URLAuthenticationChallenge {
        let space = URLProtectionSpace(
            host: "h",
            port: 80,
            protocol: "http",
            realm: nil,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        return ChallengeQuestion(space: space).challenge(answeredBy: sender)
    }

    @Test("Each method is an answer")
    func methods() {
        let credential = URLCredential(user: "u", password: "p", persistence: .none)
        let all: [(ChallengeSender, URLAuthenticationChallenge) -> Void] = [
            { $0.use(credential, for: $1) },
            { $0.continueWithoutCredential(for: $1) },
            { $0.cancel($1) },
            { $0.performDefaultHandling(for: $1) },
            { $0.rejectProtectionSpaceAndContinue(with: $1) },
        ]
        for give in all {
            let sender = makeSender()
            give(sender, makeChallenge(sender))
        }
        #expect(answers.words == ["use u", "continue", "cancel", "default", "reject"])
    }

    @Test("The first answer counts")
    func first() {
        let sender = makeSender()
        let challenge = makeChallenge(sender)
        sender.cancel(challenge)
        sender.continueWithoutCredential(for: challenge)
        #expect(answers.words == ["cancel"])
    }

    @Test("A challenge that is let go of gets the default handling, once")
    func letGo() {
        _ = makeChallenge(makeSender())
        #expect(answers.words == ["default"])
    }

    @Test("A challenge that was withdrawn has no answer any more")
    func withdrawn() {
        do {
            let sender = makeSender()
            sender.withdraw()
            sender.cancel(makeChallenge(sender))
        }
        #expect(answers.words == [])
    }
}

/// What was answered, in words; any thread.
private final class Answers: Sendable {
    private let list = Guarded<[String]>([])

    var words: [String] { list.withLock { $0 } }

    func add(_ word: String) {
        list.withLock { $0.append(word) }
    }
}
