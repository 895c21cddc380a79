internal import Foundation

/// One cookie as it is kept.
///
/// `HTTPCookie` on Linux forgets whether a cookie belongs to one host alone, and when a Max-Age ends.
struct StoredCookie: Sendable, Equatable, Codable {
    let name: String
    let value: String

    /// In lower case and without a leading dot.
    let domain: String

    /// Whether hosts below the domain do not get it.
    let isHostOnly: Bool

    let path: String

    /// When it is over; nil means with the program.
    let expires: Date?

    let isSecure: Bool
    let isHTTPOnly: Bool

    /// The end of the year 9999: no date on the wire is later.
    static let lastMoment = Date(timeIntervalSince1970: 253_402_300_799)

    /// Whether it may be sent no more.
    func isExpired(at now: Date) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    /// Whether a request to a target carries it, its domain and expiry apart.
    func fits(_ target: CookieTarget) -> Bool {
        guard target.isSecure || !isSecure, !isHostOnly || domain == target.host else {
            return false
        }
        return CookieTarget.isPath(target.path, in: path)
    }

    /// Whether another cookie takes its place, or is replaced by it.
    func isSame(as other: StoredCookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path
    }
}

// MARK: - From a response

extension StoredCookie {
    /// Makes the cookie that a response sets; nil when the server may not set it.
    ///
    /// See RFC 6265 section 5.3, and what its revision says of Secure and of names with a prefix
    /// (draft-ietf-httpbis-rfc6265bis section 5.7).
    init?(_ line: SetCookieLine, from target: CookieTarget, now: Date) {
        guard target.isSecure || !line.isSecure else { return nil }
        var domain = line.domain ?? ""
        if !domain.isEmpty, PublicSuffixList.contains(domain) {
            guard domain == target.host else { return nil }
            domain = ""
        }
        if !domain.isEmpty {
            guard CookieTarget.isHost(target.host, in: domain) else { return nil }
        }
        guard Self.keepsPrefix(of: line, hasDomain: line.domain != nil) else { return nil }
        name = line.name
        value = line.value
        isHostOnly = domain.isEmpty
        self.domain = domain.isEmpty ? target.host : domain
        path = line.path ?? target.defaultPath
        expires = Self.moment(maxAge: line.maxAge, expires: line.expires, now: now)
        isSecure = line.isSecure
        isHTTPOnly = line.isHTTPOnly
    }

    /// A name may promise how the cookie was set.
    private static func keepsPrefix(of line: SetCookieLine, hasDomain: Bool) -> Bool {
        let name = WireText.lowercase(line.name)
        if name.hasPrefix("__secure-") { return line.isSecure }
        if name.hasPrefix("__host-") { return line.isSecure && !hasDomain && line.path == "/" }
        return true
    }

    /// When a cookie ends; a Max-Age counts before an Expires.
    static func moment(maxAge: Double?, expires: Date?, now: Date) -> Date? {
        guard let maxAge else { return expires }
        guard maxAge > 0 else { return .distantPast }
        return min(now.addingTimeInterval(min(maxAge, 1e12)), lastMoment)
    }
}

// MARK: - Checking

extension StoredCookie {
    /// Whether it could have come from a response; one that was read or made may not.
    var isValid: Bool {
        let texts = [name, value, path, domain]
        let isClean = texts.allSatisfy { text in
            !text.utf8.contains { WireText.isForbiddenControl($0) || $0 == UInt8(ascii: ";") }
        }
        return isClean && !name.isEmpty && !name.contains("=") && !domain.isEmpty
            && path.hasPrefix("/") && domain == CookieTarget.canonicalHost(domain)
            && name.utf8.count + value.utf8.count <= SetCookieLine.maximumByteCount
            && (isHostOnly || !PublicSuffixList.contains(domain))
    }
}
