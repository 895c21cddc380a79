internal import CurlTransfers

/// A way in that a server or proxy offers, and that can be taken here.
struct AuthenticationOffer: Hashable, Sendable {
    let scheme: AuthenticationScheme
    let realm: String?

    /// The ways that can be taken, strongest first; equals stay in the order of the challenges.
    static func all(
        among challenges: [OfferedChallenge],
        isSupported: (AuthenticationScheme) -> Bool = { $0.isSupported }
    ) -> [AuthenticationOffer] {
        var offers: [AuthenticationOffer] = []
        var hasDigest = false
        for challenge in challenges {
            guard let scheme = AuthenticationScheme(name: challenge.scheme), isSupported(scheme)
            else { continue }
            if scheme == .digest {
                // libcurl answers to the first one, whatever follows.
                if hasDigest { continue }
                hasDigest = true
                guard challenge.isDigestForLibcurl else { continue }
            }
            let offer = AuthenticationOffer(scheme: scheme, realm: challenge.value(of: "realm"))
            if !offers.contains(offer) { offers.append(offer) }
        }
        return AuthenticationScheme.allCases.flatMap { scheme in
            offers.filter { $0.scheme == scheme }
        }
    }
}

extension OfferedChallenge {
    /// Whether libcurl can answer a challenge of Digest.
    ///
    /// It can't tell SHA-512-256 from SHA-256, and protects no bodies (`auth-int`).
    fileprivate var isDigestForLibcurl: Bool {
        let algorithm = WireText.lowercase(value(of: "algorithm") ?? "md5")
        let isSession = algorithm.hasSuffix("-sess")
        let digest = isSession ? String(algorithm.dropLast("-sess".count)) : algorithm
        let qualities = value(of: "qop").map { list in
            list.split(separator: ",").map {
                WireText.lowercase($0.drop { $0 == " " }.prefix { $0 != " " })
            }
        }
        return value(of: "nonce")?.isEmpty == false
            && (digest == "md5" || digest == "sha-256")
            && qualities?.contains("auth") ?? !isSession
    }
}
