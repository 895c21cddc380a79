internal import FoundationNetworking

/// A challenge that a delegate has been asked about, and has not answered.
///
/// It keeps neither the challenge nor its sender: they live as long as somebody can still answer.
struct PendingChallenge {
    /// Tells it from those before, whose answers may still be on their way to the loop.
    let number: Int

    private(set) weak var challenge: URLAuthenticationChallenge?
    private weak var sender: ChallengeSender?

    init(number: Int, challenge: URLAuthenticationChallenge, sender: ChallengeSender) {
        self.number = number
        self.challenge = challenge
        self.sender = sender
    }

    /// Whatever is answered from now on has no effect.
    func withdraw() {
        sender?.withdraw()
    }
}
