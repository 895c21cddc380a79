internal import Foundation
internal import FoundationNetworking

/// The user and the password that a URL carries, for its origin.
///
/// They are taken out of the URL: what is sent, shown to delegates and told in errors has none.
struct URLCredentials {
    let credential: URLCredential
    private let origin: URL

    /// Whether they may be told to whom a URL leads.
    func apply(to url: URL?) -> Bool {
        url.map { LoadableURL.haveSameOrigin(origin, $0) } ?? false
    }

    /// Takes them out of a request; nil when there are none.
    static func take(from request: inout URLRequest) -> URLCredentials? {
        guard let url = request.url, LoadableURL.hasKnownScheme(url),
            url.user != nil || url.password != nil,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        let user = components.user ?? ""
        let password = components.password ?? ""
        components.user = nil
        components.password = nil
        guard let bare = components.url else { return nil }
        request.url = bare
        // An empty name, as in http://@host/, is nobody.
        guard !user.isEmpty || !password.isEmpty else { return nil }
        return URLCredentials(
            credential: URLCredential(user: user, password: password, persistence: .none),
            origin: bare
        )
    }
}
