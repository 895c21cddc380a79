internal import Foundation
public import FoundationNetworking

extension HTTPURLResponse {
    /// The value of each `Set-Cookie` line, apart and in order of arrival; empty when there is none.
    ///
    /// `allHeaderFields` and `value(forHTTPHeaderField:)` show the lines joined by commas, which can't be
    /// taken apart with certainty: a date and a value may have a comma too (RFC 9110 section 5.3). The
    /// response of a connection knows the lines as they came. For one that was made by somebody else the
    /// joined value is split at each comma that a name and an equals sign follow. Any thread.
    public var setCookieLines: [String] {
        if let loaded = self as? LoadedHTTPURLResponse {
            return loaded.headers.values(for: "Set-Cookie")
        }
        return value(forHTTPHeaderField: "Set-Cookie").map(SetCookieLine.split) ?? []
    }

    /// The cookies that the response sets, in order of arrival.
    ///
    /// A line that sets none is left out, and so is a cookie that this server may not set by the rules of
    /// ``CookieStore``; neither the accept policy nor what is in a store is looked at. A cookie that takes
    /// back another one has an `expiresDate` that is over, and a `Max-Age` counts from now. Any thread.
    public var cookies: [HTTPCookie] {
        guard let target = url.flatMap(CookieTarget.init) else { return [] }
        let now = Date()
        return setCookieLines.compactMap(SetCookieLine.init)
            .compactMap { StoredCookie($0, from: target, now: now) }
            .compactMap(HTTPCookie.init)
    }
}
