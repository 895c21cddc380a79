internal import Foundation
internal import FoundationNetworking

extension HTTPCookie {
    /// Foundation's form of a cookie: the domain has a leading dot if hosts below it get it.
    convenience init?(_ cookie: StoredCookie) {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name, .value: cookie.value, .path: cookie.path,
            .domain: cookie.isHostOnly ? cookie.domain : "." + cookie.domain,
        ]
        if let expires = cookie.expires {
            properties[.expires] = expires
        } else {
            properties[.discard] = "TRUE"
        }
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        self.init(properties: properties)
    }
}

extension StoredCookie {
    /// Takes a cookie over from Foundation; nil when no server could have set it.
    init?(_ cookie: HTTPCookie, now: Date) {
        let isDotted = cookie.domain.hasPrefix(".")
        let domain = isDotted ? String(cookie.domain.dropFirst()) : cookie.domain
        // Foundation on Linux keeps a Max-Age as text, and no date then.
        let maxAge = (cookie.properties?[.maximumAge] as? String)
            .flatMap { SetCookieLine.seconds(Array($0.utf8)[...]) }
        self.init(
            name: cookie.name,
            value: cookie.value,
            domain: CookieTarget.canonicalHost(domain),
            isHostOnly: !isDotted || CookieTarget.isAddress(domain),
            path: cookie.path,
            expires: Self.moment(maxAge: maxAge, expires: cookie.expiresDate, now: now),
            isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly
        )
        guard isValid else { return nil }
    }
}
