internal import Foundation
internal import FoundationNetworking

/// A request as it is loaded: what may be written in several ways is written in one.
///
/// Apple documents that `http://www.apple.com` becomes `http://www.apple.com/`
/// (URL Loading System Programming Guide, "Handling Redirects and Other Request Changes"). The default
/// port stays if it was written.
enum CanonicalRequest {
    /// The canonical form of a request; one that is canonical already comes back as it is.
    static func of(_ request: URLRequest) -> URLRequest {
        var canonical = request
        if let url = request.url { canonical.url = self.url(of: url) }
        let hasBody = request.httpBody?.isEmpty == false || request.httpBodyStream != nil
        if request.httpMethod == "POST", hasBody,
            request.value(forHTTPHeaderField: "Content-Type") == nil
        {
            let type = "application/x-www-form-urlencoded"
            canonical.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        return canonical
    }

    private static func url(of url: URL) -> URL {
        let isCanonical =
            url.scheme.map(isLowercase) ?? true && url.host.map(isLowercase) ?? true
            && !url.path.isEmpty && url.baseURL == nil
        guard !isCanonical, LoadableURL.hasKnownScheme(url),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        components.scheme = components.scheme.map(WireText.lowercase)
        components.percentEncodedHost = components.percentEncodedHost.map(WireText.lowercase)
        if components.percentEncodedPath.isEmpty { components.percentEncodedPath = "/" }
        return components.url ?? url
    }

    private static func isLowercase(_ text: String) -> Bool {
        WireText.lowercase(text) == text
    }
}
