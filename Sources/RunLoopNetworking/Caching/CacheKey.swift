internal import Digests
internal import Foundation
internal import FoundationNetworking

/// What responses are kept under: the URL without its fragment, and without user and password.
struct CacheKey: Hashable, Sendable {
    /// The URL.
    let url: String

    /// The URL in the name of a file.
    let digest: String

    /// Makes the key of a URL as it is loaded.
    init(_ url: URL) {
        // Whoever is named in the URL counts as the Authorization that is made of it.
        let text = (url.user == nil ? url : Self.withoutUser(url)).absoluteString
        self.url = text.firstIndex(of: "#").map { String(text[..<$0]) } ?? text
        digest = String(SHA256Hasher.hash(Array(self.url.utf8)).description.prefix(32))
    }

    private static func withoutUser(_ url: URL) -> URL {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        return components?.url ?? url
    }

    /// Makes the key of a request; nil when it has no URL that can be loaded.
    init?(_ request: URLRequest) {
        guard let url = CanonicalRequest.of(request).url, LoadableURL.hasKnownScheme(url) else {
            return nil
        }
        self.init(url)
    }
}
