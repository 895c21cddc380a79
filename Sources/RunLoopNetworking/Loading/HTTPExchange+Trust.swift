internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

// MARK: - While the handshake waits

extension HTTPExchange {
    func transfer(_ transfer: Transfer, asks question: HandshakeQuestion) {
        load.touch()
        switch question {
        case .trust(let chain): ask(about: chain, of: transfer)
        case .clientCertificate(let issuers): askForCertificate(by: issuers, transfer)
        }
    }

    /// The certificate counts; the delegate may want another one.
    private func ask(about chain: PresentedChain, of transfer: Transfer) {
        guard let trust = trust(in: chain) else { return refuse(nil) }
        askLoad(about: trust) { [self] verdict in
            switch verdict {
            case .accept: proceed(isShared: false)
            case .leave: proceed(isShared: true)
            case .refuse: refuse(nil)
            case .cancel: cancelTrust()
            }
        }
    }

    private func askForCertificate(by issuers: [String], _ transfer: Transfer) {
        guard let url = load.request.url, let host = url.host else { return refuse(nil) }
        let space = TLSProtectionSpace(host: host, port: url.port ?? 443, issuers: issuers)
        load.ask(ChallengeQuestion(space: space)) { [self] answer in
            switch answer {
            case .use(let credential):
                guard case .identity(let identity) = TLSCredential(credential) else {
                    return proceed(isShared: true)
                }
                load.trust.show(identity, to: load.request.url)
                removeTransfer()
                load.restart()
            case .cancel: cancelTrust()
            case .continueWithoutCredential, .performDefaultHandling, .rejectProtectionSpace:
                proceed(isShared: true)
            }
        }
    }

    private func cancelTrust() {
        stop()
        load.fail(Load.authenticationCancelled)
    }

    private func refuse(_ failure: TrustFailure?) {
        stop()
        load.fail(failure.map { Failure($0) } ?? Self.otherCredential)
    }

    private static let otherCredential = Failure(
        .serverCertificateUntrusted,
        "The challenge of the server was answered with a credential for something else; use "
            + "URLCredential(trust:) with the challenge's own serverTrust."
    )
}

// MARK: - When OpenSSL has refused a certificate

extension HTTPExchange {
    /// Asks what to do about a certificate that does not count; false if nobody can be asked.
    func receive(refusalOfServer outcome: TransferOutcome) -> Bool {
        // Inside the TLS of a proxy libcurl loses OpenSSL's reason, and has another code.
        guard [.peerFailedVerification, .tlsConnectError].contains(outcome.code),
            let chain = outcome.handshake?.chain, chain.verdict != 0
        else { return false }
        switch transferRequest.trust {
        case .system:
            return false
        case .exactly:
            // Another certificate than the one that was accepted.
            load.trust.takeBack(from: load.request.url)
            load.restart()
            return true
        case .ask:
            guard let trust = trust(in: chain), let failure = trust.failure else { return false }
            askLoad(about: trust) { [self] verdict in
                switch verdict {
                case .accept:
                    guard let certificate = trust.certificates.first else { return }
                    load.trust.accept(certificate, from: load.request.url)
                    load.restart()
                case .leave, .refuse: refuse(failure)
                case .cancel: cancelTrust()
                }
            }
            return true
        }
    }

    private func trust(in chain: PresentedChain) -> ServerTrust? {
        ServerTrust(host: load.request.url?.host ?? "", chain: chain)
    }

    private func askLoad(
        about trust: ServerTrust,
        then proceed: @escaping @Sendable (TrustVerdict) -> Void
    ) {
        let space = TLSProtectionSpace(port: load.request.url?.port ?? 443, trust: trust)
        let error = trust.failure.map { Failure($0).error(for: load.request.url) }
        load.ask(ChallengeQuestion(space: space, error: error)) { answer in
            proceed(TrustVerdict(answer, to: trust))
        }
    }
}
