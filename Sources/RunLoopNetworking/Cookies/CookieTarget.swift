internal import Foundation

/// What a request is sent to, as far as cookies go: host, path, and whether it is protected.
///
/// The port does not count (RFC 6265 section 8.5).
struct CookieTarget: Equatable {
    /// In lower case, as A-labels, without the dot that may end a name; an IPv6 address without brackets.
    let host: String

    /// As it is sent; begins with a slash.
    let path: String

    /// Whether nobody on the way can read along; `localhost` makes no difference.
    let isSecure: Bool

    /// Reads a URL; nil when it names no host that can be asked.
    init?(_ url: URL) {
        guard LoadableURL.isLoadable(url), let host = url.host else { return nil }
        self.host = LoadableURL.comparable(Self.canonicalHost(host))
        let path = url.path(percentEncoded: true)
        self.path = path.hasPrefix("/") ? path : "/"
        isSecure = url.scheme?.lowercased() == "https"
    }

    /// Returns a host in the form in which hosts are compared (RFC 6265 section 5.1.2).
    static func canonicalHost(_ host: String) -> String {
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return WireText.lowercase(host) }
        let converted = URL(string: "http://\(host)/")?.host
        return WireText.lowercase(converted ?? host)
    }

    /// Whether a host is an address, which has no domains above it.
    static func isAddress(_ host: String) -> Bool {
        guard !host.contains(":") else { return true }
        let last = host.split(separator: ".").last ?? ""
        return last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// What belongs to one owner: the registrable domain, or the host if it has none.
    var site: String {
        Self.isAddress(host) ? host : PublicSuffixList.registrableDomain(of: host) ?? host
    }

    /// The host, and each domain above it.
    var domains: [String] {
        guard !Self.isAddress(host) else { return [host] }
        var domains = [host]
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if !rest.isEmpty { domains.append(String(rest)) }
        }
        return domains
    }
}

// MARK: - Matching

extension CookieTarget {
    /// Whether a host is a domain, or lies below it (RFC 6265 section 5.1.3).
    static func isHost(_ host: String, in domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && !isAddress(host))
    }

    /// Whether a path is another, or lies below it (RFC 6265 section 5.1.4).
    static func isPath(_ path: String, in parent: String) -> Bool {
        guard path.utf8.starts(with: parent.utf8) else { return false }
        let rest = path.utf8.dropFirst(parent.utf8.count)
        return rest.isEmpty || parent.hasSuffix("/") || rest.first == UInt8(ascii: "/")
    }

    /// Where a cookie is valid that names no path (RFC 6265 section 5.1.4).
    var defaultPath: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
