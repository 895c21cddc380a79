internal import Foundation
internal import FoundationNetworking

/// What a response with a status of 3xx leads to.
///
/// - SeeAlso: RFC 9110 section 15.4.
struct RedirectRules {
    /// How many redirects one load follows.
    static let limit = 20

    /// What to do with a response.
    enum Decision {
        /// It is the answer.
        case deliver
        case follow(URLRequest)
        case fail(Failure)
    }

    /// Decides about the head of a response to `request`, after `count` redirects.
    static func decide(on head: HeaderBlock, to request: URLRequest, count: Int) -> Decision {
        guard [301, 302, 303, 307, 308].contains(head.statusCode),
            let location = head.values(for: "Location").first, let url = request.url
        else { return .deliver }
        guard let next = target(of: location, from: url) else {
            return .fail(
                Failure(
                    .redirectToNonExistentLocation,
                    "The server redirects to a location that is no URL."
                )
            )
        }
        guard LoadableURL.hasKnownScheme(next) else {
            return .fail(
                Failure(
                    .unsupportedURL,
                    "The server redirects to a URL that is neither http nor https."
                )
            )
        }
        guard count < limit else {
            return .fail(Failure(.httpTooManyRedirects, "There were more than \(limit) redirects."))
        }
        return proposal(for: next, status: head.statusCode, after: request)
    }

    /// Resolves a Location against the URL that answered with it (RFC 9110 section 10.2.2).
    static func target(of location: String, from url: URL) -> URL? {
        guard let resolved = URL(string: location, relativeTo: url)?.absoluteURL else { return nil }
        // The fragment of the old URL holds on when the new one has none.
        guard resolved.fragment == nil, let fragment = url.fragment else { return resolved }
        return URL(string: resolved.absoluteString + "#" + fragment) ?? resolved
    }

    private static func proposal(
        for url: URL,
        status: Int,
        after request: URLRequest
    ) -> Decision {
        var next = request
        next.url = url
        let method = request.httpMethod ?? "GET"
        let becomesGet = [301, 302].contains(status) ? method == "POST" : status == 303
        if becomesGet {
            if method != "HEAD" { next.httpMethod = "GET" }
            next.httpBody = nil
            next.httpBodyStream = nil
            dropFields(of: &next, named: contentFields)
        }
        if let old = request.url, !LoadableURL.haveSameOrigin(old, url) {
            dropFields(of: &next, named: originFields)
        }
        return .follow(next)
    }

    /// What describes a body that is not sent any more.
    private static let contentFields = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language",
        "Content-Location", "Transfer-Encoding",
    ]

    /// What was meant for one origin only.
    private static let originFields = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]

    private static func dropFields(of request: inout URLRequest, named names: [String]) {
        let fields = request.allHTTPHeaderFields ?? [:]
        for name in fields.keys where names.contains(where: { WireText.isSameName($0, name) }) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
    }
}
