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

    private static func port(of url: URL) -> Int {
        url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
    }
}
