import Testing

@testable import CurlTransfers
@testable import RunLoopNetworking

@Suite("What is offered")
struct AuthenticationOfferTests {
    private func offers(
        _ value: String,
        isSupported: (AuthenticationScheme) -> Bool = { _ in true }
    ) -> [AuthenticationOffer] {
        AuthenticationOffer.all(among: ChallengeReader.read(value), isSupported: isSupported)
    }

    private func offer(_ scheme: AuthenticationScheme, _ realm: String? = nil)
        -> AuthenticationOffer
    {
        AuthenticationOffer(scheme: scheme, realm: realm)
    }

    @Test("The strongest comes first, whatever the order and the letter case")
    func order() {
        let found = offers("basic realm=b, dIGEST realm=d, nonce=n, ntlm, NEGOTIATE")
        let wanted = [
            offer(.negotiate), offer(.ntlm), offer(.digest, "d"), offer(.basic, "b"),
        ]
        #expect(found == wanted)
    }

    @Test("Realms of one scheme stay in order, and each counts once")
    func realms() {
        let found = offers("Basic realm=b, Basic realm=a, Basic realm=b, Basic")
        #expect(found == [offer(.basic, "b"), offer(.basic, "a"), offer(.basic)])
    }

    @Test("What is not known, and what libcurl was built without, is passed over")
    func unknown() {
        #expect(offers("Bearer realm=x, Custom a=b") == [])
        #expect(offers("NTLM, Basic", isSupported: { $0 != .ntlm }) == [offer(.basic)])
    }

    @Test(
        "Digest is offered when libcurl can answer the first of it",
        arguments: [
            ("Digest realm=r, nonce=n", true),
            ("Digest realm=r, nonce=n, algorithm=MD5, qop=\"auth\"", true),
            ("Digest realm=r, nonce=n, algorithm=sha-256, qop=\"auth-int, auth\"", true),
            ("Digest realm=r, nonce=n, algorithm=MD5-sess, qop=auth", true),
            ("Digest realm=r, nonce=n, algorithm=MD5-sess", false),
            ("Digest realm=r, nonce=n, algorithm=SHA-512-256", false),
            ("Digest realm=r, nonce=n, qop=auth-int", false),
            ("Digest realm=r", false),
            ("Digest realm=r, nonce=\"\"", false),
            ("Digest realm=r, nonce=n, algorithm=X, Digest realm=r, nonce=n", false),
        ]
    )
    func digest(value: String, isOffered: Bool) {
        #expect(offers(value) == (isOffered ? [offer(.digest, "r")] : []))
    }

    @Test("Debian's libcurl has all schemes")
    func supported() {
        #expect(AuthenticationScheme.allCases.filter(\.isSupported).count == 4)
    }
}
