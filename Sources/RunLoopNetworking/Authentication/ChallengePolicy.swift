internal import CurlTransfers

/// Decides what becomes of a refusal (401 or 407), and of the delegate's answer to it.
///
/// The offers of a response are gone through strongest first; a rejected one is passed over until the
/// server lets the load in.
///
/// - SeeAlso: RFC 9110 section 11, and Apple's `URLAuthenticationChallengeSender`.
struct ChallengePolicy {
    /// After so many failed attempts a refusal is delivered, whatever the delegate answers.
    static let maximumFailureCount = 20

    /// What to do next.
    enum Step: Equatable {
        /// Ask the delegate, with ``failureCount``.
        case ask(AuthenticationOffer)
        /// Send the request again, with the credential that was answered.
        case send(AuthenticationOffer)
        /// Send the request again, with the credential that is proposed.
        case sendProposed(AuthenticationOffer)
        /// The refusal is the answer.
        case deliver
        /// The load fails.
        case cancel
    }

    /// An answer without what is used.
    enum Answer {
        case use
        case continueWithout
        case cancel
        case performDefaultHandling
        case reject
    }

    /// How many attempts have failed, by whatever scheme.
    private(set) var failureCount = 0

    /// What is being asked about, or was tried last.
    private var current: AuthenticationOffer?
    private var isAttempted = false
    private var candidates: [AuthenticationOffer] = []
    private var rejected: Set<AuthenticationOffer> = []

    /// Where the proposed credential was used: once for each scheme.
    private var proposedTo: Set<AuthenticationScheme> = []

    /// The request was refused.
    ///
    /// - Parameters:
    ///   - offers: How to get in, strongest first.
    ///   - carriedOwn: Whether the caller had set an authorization of its own, which failed then.
    /// - Returns: What to do next.
    mutating func refused(offering offers: [AuthenticationOffer], carriedOwn: Bool) -> Step {
        if isAttempted || carriedOwn { failureCount += 1 }
        // Its tickets lie with the system: another name and password would change nothing.
        if isAttempted, let current, current.scheme == .negotiate { rejected.insert(current) }
        isAttempted = false
        candidates = offers.filter { !rejected.contains($0) }
        guard failureCount < Self.maximumFailureCount else { return .deliver }
        return askNext()
    }

    /// The delegate has answered what was asked.
    ///
    /// - Parameters:
    ///   - answer: What it said; without a delegate, ``Answer/performDefaultHandling``.
    ///   - hasProposal: Whether there is a credential to propose for an offer.
    /// - Returns: What to do next.
    mutating func answered(
        _ answer: Answer,
        hasProposal: (AuthenticationOffer) -> Bool
    ) -> Step {
        guard let current else { return .deliver }
        switch answer {
        case .use:
            isAttempted = true
            return .send(current)
        case .continueWithout:
            return .deliver
        case .cancel:
            return .cancel
        case .performDefaultHandling:
            return useProposal(hasProposal)
        case .reject:
            rejected.insert(current)
            candidates.removeAll { $0 == current }
            return askNext()
        }
    }

    /// The request was answered with something else than a refusal.
    mutating func accepted() {
        self = ChallengePolicy()
    }

    private mutating func askNext() -> Step {
        current = candidates.first
        return current.map { .ask($0) } ?? .deliver
    }

    /// A password that was refused is not tried by a weaker scheme, which would show more of it.
    private mutating func useProposal(_ hasProposal: (AuthenticationOffer) -> Bool) -> Step {
        for offer in candidates {
            guard !proposedTo.contains(offer.scheme) else { return .deliver }
            guard hasProposal(offer) else { continue }
            proposedTo.insert(offer.scheme)
            current = offer
            isAttempted = true
            return .sendProposed(offer)
        }
        return .deliver
    }
}
