internal import CurlTransfers
internal import Foundation

/// Which URLs can be loaded.
enum LoadableURL {
    /// Whether the scheme is one that connections speak.
    static func hasKnownScheme(_ url: URL) -> Bool {
        url.scheme.map { ["http", "https"].contains($0.lowercased()) } ?? false
    }

    /// Whether a server can be asked for the URL.
    static func isLoadable(_ url: URL) -> Bool {
        hasKnownScheme(url) && url.host.map { !$0.isEmpty } ?? false
    }

    /// Whether two URLs belong to one origin: scheme, host and port are the same (RFC 6454).
    static func haveSameOrigin(_ one: URL, _ other: URL) -> Bool {
        guard hasKnownScheme(one), hasKnownScheme(other) else { return false }
        return one.scheme?.lowercased() == other.scheme?.lowercased()
            && one.host?.lowercased() == other.host?.lowercased()
            && port(of: one) == port(of: other)
    }

    /// Whether libcurl would connect to the host and the port that the URL itself reports.
    ///
    /// It would not for `http://127.1/`, which is 127.0.0.1 to libcurl, nor for what is no host or no
    /// port to it. Whoever has looked at `url.host` before would be deceived.
    static func isReadAlike(_ url: URL) -> Bool {
        guard let host = url.host(percentEncoded: false) else { return false }
        let reported = ServerName(host: host, port: port(of: url))
        return ServerName(libcurlReads: url.absoluteString) == reported
    }

    /// A host as it is compared: in lower case, and without the dot that may end a name.
    static func comparable(_ host: String) -> String {
        let lower = WireText.lowercase(host)
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    /// The URL as it is asked for.
    ///
    /// `localhost.` is this machine as `localhost` is (RFC 6761 section 6.3), but a resolver that asks no
    /// name server knows only the latter.
    static func text(of url: URL) -> String {
        guard url.host.map(WireText.lowercase) == "localhost.",
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url.absoluteString }
        parts.host = "localhost"
        return parts.string ?? url.absoluteString
    }

    private static func port(of url: URL) -> Int {
        let usual = ["https": 443, "ftp": 21]
        return url.port ?? usual[url.scheme?.lowercased() ?? ""] ?? 80
    }
}
