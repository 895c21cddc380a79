internal import EventLoops
internal import Foundation
internal import FoundationNetworking

// MARK: - Challenges

extension Load {
    /// Asks the delegate about a challenge of any method; the load waits for the answer, the loop does not.
    ///
    /// - Parameters:
    ///   - question: What to ask. Who has an opinion is Apple's order: `willSendRequestFor`, then the
    ///     older pair of methods, then nobody, which is the default handling.
    ///   - proceed: Is called on the loop with the answer, once, unless the load is over by then or the
    ///     challenge was withdrawn. When nobody needs to be asked it is called before this returns.
    func ask(
        _ question: ChallengeQuestion,
        then proceed: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        tell(.challenged(method: question.space.authenticationMethod))
        guard challengeInterest.covers(question.space.authenticationMethod) else {
            return proceed(.performDefaultHandling)
        }
        suspendIdleClock()
        challengeCount += 1
        let number = challengeCount
        let sender = ChallengeSender { [weak self] answer in
            guard let self else { return }
            loop.perform { [self] in
                guard !isOver, !isCancelled, pendingChallenge?.number == number else { return }
                pendingChallenge = nil
                resumeIdleClock()
                proceed(answer)
            }
        }
        let challenge = question.challenge(answeredBy: sender)
        pendingChallenge = PendingChallenge(number: number, challenge: challenge, sender: sender)
        emit(.challenge(challenge))
    }

    /// Whether the delegate has been asked about a challenge, and has not answered.
    var isChallenged: Bool { pendingChallenge != nil }

    /// Takes back a challenge that the delegate has not answered, and tells it so.
    func withdrawChallenge() {
        guard let pending = pendingChallenge else { return }
        pendingChallenge = nil
        pending.withdraw()
        resumeIdleClock()
        if let challenge = pending.challenge { emit(.challengeWithdrawn(challenge)) }
    }
}
