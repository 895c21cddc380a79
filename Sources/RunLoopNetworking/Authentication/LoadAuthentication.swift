internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// What a load knows of who asks: towards the server, and towards a proxy on the way.
struct LoadAuthentication {
    /// Who may refuse a request.
    enum Party {
        case server
        case proxy
    }

    /// A credential together with what it is for.
    struct Attempt {
        let offer: AuthenticationOffer
        let space: URLProtectionSpace
        let credential: URLCredential
    }

    /// How things stand with one party.
    struct Standing {
        var policy = ChallengePolicy()

        /// What goes out with the request.
        var attempt: Attempt?

        /// What was refused last.
        var refused: URLCredential?

        /// What has let the load in before.
        var accepted: Attempt?
    }

    var server = Standing()
    var proxy = Standing()

    /// What the URL of the request carried.
    private var inURL: URLCredentials?

    subscript(party: Party) -> Standing {
        get { party == .server ? server : proxy }
        set {
            switch party {
            case .server: server = newValue
            case .proxy: proxy = newValue
            }
        }
    }

    /// Takes the credentials out of the URL of a request that is about to be sent.
    ///
    /// Those of an earlier URL stay within its origin.
    mutating func adopt(_ request: URLRequest) -> URLRequest {
        var bare = request
        if let taken = URLCredentials.take(from: &bare) {
            inURL = taken
        } else if let known = inURL, !known.apply(to: bare.url) {
            inURL = nil
        }
        return bare
    }

    /// The answer was a redirect: the next server is told nothing before it asks.
    mutating func followed() {
        server.attempt = nil
    }

    /// A refusal has come.
    mutating func refused(
        by party: Party,
        offering offers: [AuthenticationOffer],
        carriedOwn: Bool
    ) -> ChallengePolicy.Step {
        if let attempt = self[party].attempt { self[party].refused = attempt.credential }
        self[party].attempt = nil
        return self[party].policy.refused(offering: offers, carriedOwn: carriedOwn)
    }

    /// Something else than a refusal has come; returns what has let the load in, the first time.
    mutating func letIn(by party: Party) -> Attempt? {
        self[party].policy.accepted()
        self[party].refused = nil
        guard let attempt = self[party].attempt else { return nil }
        let isKnown = self[party].accepted?.credential === attempt.credential
        self[party].accepted = attempt
        return isKnown ? nil : attempt
    }

    /// What the load itself can propose for a protection space.
    func proposal(for space: URLProtectionSpace, of party: Party, url: URL?) -> URLCredential? {
        if party == .server, let inURL, inURL.apply(to: url) { return inURL.credential }
        guard let accepted = self[party].accepted,
            ProtectionSpaceKey(accepted.space) == ProtectionSpaceKey(space)
        else { return nil }
        return accepted.credential
    }
}

// MARK: - What goes out

extension LoadAuthentication {
    /// Adds what is to be proved to a request; a field that the caller has set gives way to it.
    ///
    /// - Throws: ``Failure`` when a name or a password can't be sent.
    func complete(_ request: inout TransferRequest) throws(Failure) {
        if let attempt = server.attempt {
            request.credential = try TransferCredential(attempt)
            request.headerLines.removeAll { $0.isHeader("Authorization") }
        }
        if let attempt = proxy.attempt {
            request.proxyCredential = try TransferCredential(attempt)
            request.proxy?.headerLines.removeAll { $0.isHeader(TransferRequest.proxyField) }
        }
    }
}

extension TransferCredential {
    /// - Throws: ``Failure`` when the name or the password can't be sent.
    fileprivate init(_ attempt: LoadAuthentication.Attempt) throws(Failure) {
        let user = attempt.credential.user ?? ""
        let password = attempt.credential.password ?? ""
        // libcurl would write them into a header line as they are.
        let isClean = [user, password].allSatisfy { text in
            !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
        }
        guard isClean else {
            throw Failure(
                .userAuthenticationRequired,
                "The user or the password of the credential has a control character; take it out."
            )
        }
        guard attempt.offer.scheme != .basic || !user.contains(":") else {
            throw Failure(
                .userAuthenticationRequired,
                "The user of the credential has a colon, which Basic authentication can't send."
            )
        }
        self.init(scheme: attempt.offer.scheme, user: user, password: password)
    }
}

extension String {
    /// Whether this is the line of a header field.
    fileprivate func isHeader(_ name: String) -> Bool {
        WireText.isSameName(String(prefix { $0 != ":" && $0 != ";" }), name)
    }
}
