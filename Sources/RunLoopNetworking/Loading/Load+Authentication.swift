internal import CurlTransfers
internal import EventLoops
internal import Foundation
internal import FoundationNetworking

// MARK: - Refusals

extension Load {
    /// What becomes of a response that refuses the request.
    enum RefusalFate {
        case deliver
        /// Send the request again; ``authentication`` has what goes out with it.
        case retry
        case cancel
    }

    static let authenticationCancelled = Failure(
        .userCancelledAuthentication,
        "The delegate cancelled the challenge of the server or the proxy."
    )

    /// Finds out what to do about a refusal; `proceed` is called on the loop, at once or later.
    func answer(to refusal: Refusal, then proceed: @escaping @Sendable (RefusalFate) -> Void) {
        whenStorageIsKnown { [self] in
            let step = authentication.refused(
                by: refusal.party,
                offering: refusal.offers,
                carriedOwn: refusal.carriedOwn
            )
            take(step, in: refusal, then: proceed)
        }
    }

    /// The request was not refused by a party.
    func wasLetIn(by party: LoadAuthentication.Party) {
        guard let attempt = authentication.letIn(by: party) else { return }
        credentialStore?.setDefaultCredential(attempt.credential, for: attempt.space)
    }

    private func take(
        _ step: ChallengePolicy.Step,
        in refusal: Refusal,
        then proceed: @escaping @Sendable (RefusalFate) -> Void
    ) {
        switch step {
        case .ask(let offer):
            ask(question(about: offer, in: refusal)) { [self] answer in
                take(next(after: answer, to: offer, in: refusal), in: refusal, then: proceed)
            }
        case .send, .sendProposed: proceed(.retry)
        case .deliver: proceed(.deliver)
        case .cancel: proceed(.cancel)
        }
    }

    private func question(about offer: AuthenticationOffer, in refusal: Refusal)
        -> ChallengeQuestion
    {
        let standing = authentication[refusal.party]
        let space = refusal.space(for: offer)
        return ChallengeQuestion(
            space: space,
            proposedCredential: standing.refused ?? proposal(for: space, in: refusal),
            previousFailureCount: standing.policy.failureCount,
            response: refusal.response
        )
    }

    /// Puts what goes out next into ``authentication``.
    private func next(
        after answer: ChallengeAnswer,
        to offer: AuthenticationOffer,
        in refusal: Refusal
    ) -> ChallengePolicy.Step {
        var credential: URLCredential?
        if case .use(let used) = answer { credential = used }
        // One access at a time: what can be proposed is looked up in the same value.
        var policy = authentication[refusal.party].policy
        let step = policy.answered(.init(answer)) { offer in
            proposal(for: refusal.space(for: offer), in: refusal) != nil
        }
        authentication[refusal.party].policy = policy
        switch step {
        case .send(let offer), .sendProposed(let offer):
            let space = refusal.space(for: offer)
            guard let credential = credential ?? proposal(for: space, in: refusal) else {
                return .deliver
            }
            authentication[refusal.party].attempt = .init(
                offer: offer,
                space: space,
                credential: credential
            )
        case .ask, .deliver, .cancel: break
        }
        return step
    }

    private func proposal(for space: URLProtectionSpace, in refusal: Refusal) -> URLCredential? {
        authentication.proposal(for: space, of: refusal.party, url: request.url)
            ?? credentialStore?.defaultCredential(for: space)
    }
}

extension ChallengePolicy.Answer {
    fileprivate init(_ answer: ChallengeAnswer) {
        switch answer {
        // Without a name there is nothing that HTTP could send, and what TLS takes is no name.
        case .use(let credential):
            let isName = credential.user != nil && TLSCredential(credential) == nil
            self = isName ? .use : .continueWithout
        case .continueWithoutCredential: self = .continueWithout
        case .cancel: self = .cancel
        case .performDefaultHandling: self = .performDefaultHandling
        case .rejectProtectionSpace: self = .reject
        }
    }
}

// MARK: - The store

extension Load {
    /// Asks once whether the store may be used; nothing waits for the answer but a challenge.
    func askAboutStorage() {
        guard challengeInterest.coversStorage, loader.settings.credentialStore != nil else {
            storageConsent = .known(true)
            return
        }
        storageConsent = .asked([])
        emit(
            .credentialStorage { [weak self] answer in
                guard let self else { return }
                loop.perform { [self] in storageWasAnswered(answer) }
            }
        )
    }

    private func storageWasAnswered(_ isAllowed: Bool) {
        guard !isOver, case .asked(let waiting) = storageConsent else { return }
        storageConsent = .known(isAllowed)
        guard !waiting.isEmpty else { return }
        resumeIdleClock()
        for proceed in waiting { proceed() }
    }

    private func whenStorageIsKnown(_ proceed: @escaping @Sendable () -> Void) {
        guard case .asked(let waiting) = storageConsent else { return proceed() }
        suspendIdleClock()
        storageConsent = .asked(waiting + [proceed])
    }

    private var credentialStore: CredentialStore? {
        if case .known(false) = storageConsent { return nil }
        return loader.settings.credentialStore
    }
}
