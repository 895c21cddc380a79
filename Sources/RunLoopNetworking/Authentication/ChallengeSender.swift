internal import EventLoops
internal import Foundation
internal import FoundationNetworking

/// Takes the answer to one challenge, from any thread, whenever it comes.
///
/// The first answer counts. A challenge that is let go of without one can't be answered any more, and
/// would hold its load up for ever: it gets the default handling.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
    // A guarded value; `@unchecked` because of the superclass. Whoever is told keeps nobody alive.
    private let receiver: Guarded<(@Sendable (ChallengeAnswer) -> Void)?>

    /// Makes a sender that tells the answer once.
    init(_ receiver: @escaping @Sendable (ChallengeAnswer) -> Void) {
        self.receiver = Guarded(receiver)
    }

    deinit {
        answer(.performDefaultHandling)
    }

    /// The challenge is not to be answered any more.
    func withdraw() {
        receiver.withLock { $0 = nil }
    }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        answer(.use(credential))
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {
        answer(.continueWithoutCredential)
    }

    func cancel(_ challenge: URLAuthenticationChallenge) {
        answer(.cancel)
    }

    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
        answer(.performDefaultHandling)
    }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        answer(.rejectProtectionSpace)
    }

    private func answer(_ answer: ChallengeAnswer) {
        let receiver = receiver.withLock { receiver in
            defer { receiver = nil }
            return receiver
        }
        receiver?(answer)
    }
}
