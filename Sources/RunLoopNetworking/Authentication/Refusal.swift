internal import FoundationNetworking

/// A response that says who may come in, and how: a 401 of the server, or a 407 of a proxy.
struct Refusal: Sendable {
    let origin: RefusalOrigin

    /// How to get in, strongest first.
    let offers: [AuthenticationOffer]

    let response: URLResponse

    /// Whether the request said by other means who asks, and failed with that.
    let carriedOwn: Bool

    init(
        by origin: RefusalOrigin,
        offers: [AuthenticationOffer],
        response: URLResponse,
        carriedOwn: Bool
    ) {
        self.origin = origin
        self.offers = offers
        self.response = response
        self.carriedOwn = carriedOwn
    }

    var party: LoadAuthentication.Party { origin.party }

    func space(for offer: AuthenticationOffer) -> URLProtectionSpace {
        origin.space(for: offer)
    }

    /// Who refuses by a head, and the field that says how to get in; nil when nobody does.
    static func party(of head: HeaderBlock) -> (party: LoadAuthentication.Party, field: String)? {
        switch head.statusCode {
        case 401: (.server, "WWW-Authenticate")
        case 407: (.proxy, "Proxy-Authenticate")
        default: nil
        }
    }
}
