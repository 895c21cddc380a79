internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// Who refuses a request, as a protection space names it.
struct RefusalOrigin: Equatable, Sendable {
    let party: LoadAuthentication.Party
    private let host: String
    private let port: Int
    private let type: String

    /// The server that a URL leads to.
    init?(server url: URL) {
        guard let host = url.host, let scheme = url.scheme?.lowercased() else { return nil }
        party = .server
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
        type = scheme
    }

    /// The proxy on the way to a URL; nil for one that does not speak HTTP.
    init?(proxy: TransferProxy, for url: URL) {
        guard let place = URL(string: proxy.url), LoadableURL.hasKnownScheme(place),
            let host = place.host, let port = place.port
        else { return nil }
        party = .proxy
        self.host = host
        self.port = port
        // Apple names it after what goes through it.
        type =
            url.scheme?.lowercased() == "https"
            ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy
    }

    /// What an offer protects, as a delegate is told.
    func space(for offer: AuthenticationOffer) -> URLProtectionSpace {
        switch party {
        case .server:
            URLProtectionSpace(
                host: host,
                port: port,
                protocol: type,
                realm: offer.realm,
                authenticationMethod: offer.scheme.method
            )
        case .proxy:
            URLProtectionSpace(
                proxyHost: host,
                port: port,
                type: type,
                realm: offer.realm,
                authenticationMethod: offer.scheme.method
            )
        }
    }
}
