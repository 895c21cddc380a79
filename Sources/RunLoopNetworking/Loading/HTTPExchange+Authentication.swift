internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

// MARK: - Refusals

extension HTTPExchange {
    /// Whether libcurl may answer this head by itself, and another one comes.
    ///
    /// With every scheme but Basic it sends several requests; the head of each response comes here, the
    /// body of the last one alone. A request with a body is sent without it first.
    func mayBeAnsweredByLibcurl(_ head: HeaderBlock) -> Bool {
        if head.statusCode == 407, transferRequest.proxy?.user != nil { return true }
        let credentials = [transferRequest.credential, transferRequest.proxyCredential]
        guard credentials.contains(where: { $0?.scheme.takesSeveralRequests ?? false }) else {
            return false
        }
        if Refusal.party(of: head) != nil { return true }
        return head.statusCode < 300 && !["GET", "HEAD"].contains(transferRequest.method)
    }

    /// Asks what to do about a head that refuses the request; false if it does not, or offers no way in.
    func receive(refusalIn head: HeaderBlock) -> Bool {
        guard let (party, field) = Refusal.party(of: head) else {
            load.wasLetIn(by: .server)
            load.wasLetIn(by: .proxy)
            return false
        }
        if party == .server { load.wasLetIn(by: .proxy) }
        let offers = AuthenticationOffer.all(
            among: OfferedChallenge.all(in: head, field: field)
        )
        // A server that plays the proxy gets no answer.
        guard !offers.isEmpty, let origin = origin(of: party) else { return false }
        // Nothing can be told of a response that Foundation does not take: the load fails.
        guard let response = response(for: head) else { return true }
        let refusal = Refusal(
            by: origin,
            offers: offers,
            response: response,
            carriedOwn: carriesOwn(for: party)
        )
        keepNonce(of: refusal)
        hold(response)
        load.answer(to: refusal) { [self] in settle($0) }
        return true
    }

    private func settle(_ fate: Load.RefusalFate) {
        switch fate {
        case .deliver: decide(.deliver)
        case .retry: decide(.discard(then: .retry))
        case .cancel:
            stop()
            load.fail(Load.authenticationCancelled)
        }
    }

    /// libcurl has read the nonce of Digest, and may answer to it with the first request of a retry.
    private func keepNonce(of refusal: Refusal) {
        guard refusal.origin.party == .server else { return }
        let tried = transferRequest.credential?.scheme ?? .digest
        guard tried == .digest, refusal.offers.contains(where: { $0.scheme == .digest }) else {
            return
        }
        keepTransfer()
    }

    private func origin(of party: LoadAuthentication.Party) -> RefusalOrigin? {
        guard let url = load.request.url else { return nil }
        switch party {
        case .server: return RefusalOrigin(server: url)
        case .proxy: return transferRequest.proxy.flatMap { RefusalOrigin(proxy: $0, for: url) }
        }
    }

    /// Whether the request said who asks by other means than an answer to a challenge.
    private func carriesOwn(for party: LoadAuthentication.Party) -> Bool {
        switch party {
        case .server: transferRequest.credential == nil && hasField("Authorization")
        case .proxy:
            transferRequest.proxyCredential == nil
                && (transferRequest.proxy?.user != nil || hasField(TransferRequest.proxyField))
        }
    }

    private func hasField(_ name: String) -> Bool {
        load.request.value(forHTTPHeaderField: name) != nil
    }
}

// MARK: - Tunnels

extension HTTPExchange {
    /// Asks what to do about a proxy that refuses a tunnel; false if it does not, or offers no way in.
    ///
    /// Its answer to CONNECT is not the answer of the server, and is never delivered.
    func receive(refusalOfTunnel outcome: TransferOutcome) -> Bool {
        guard outcome.code == .receiveError, outcome.proxy.status == 407,
            let head = HeaderBlock(lines: outcome.proxy.headLines), let url = load.request.url,
            let origin = origin(of: .proxy),
            let response = LoadedHTTPURLResponse(url: url, headers: head, isDecoded: false)
        else { return false }
        let offers = AuthenticationOffer.all(
            among: OfferedChallenge.all(in: head, field: "Proxy-Authenticate")
        )
        guard !offers.isEmpty else { return false }
        let refusal = Refusal(
            by: origin,
            offers: offers,
            response: response,
            carriedOwn: carriesOwn(for: .proxy)
        )
        load.answer(to: refusal) { [self] fate in
            switch fate {
            case .retry: load.retry(continuing: nil)
            case .cancel: load.fail(Load.authenticationCancelled)
            case .deliver: load.fail(Failure(outcome, proxy: transferRequest.proxy))
            }
        }
        return true
    }
}

extension HeaderBlock {
    /// Reads a head that is there as a whole; nil if it is none.
    fileprivate init?(lines: [[UInt8]]) {
        guard let first = lines.first, var block = HeaderBlock(statusLine: first) else {
            return nil
        }
        do throws(HeaderError) {
            for line in lines.dropFirst() where !block.isComplete { try block.append(line: line) }
        } catch {
            return nil
        }
        self = block
    }
}
