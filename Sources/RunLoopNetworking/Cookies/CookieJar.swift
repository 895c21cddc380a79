internal import Foundation

/// The cookies of a store: which are kept, which a request carries, and which have to go.
///
/// - SeeAlso: RFC 6265 sections 5.3 and 5.4.
struct CookieJar: Sendable {
    /// How many cookies are kept; more than RFC 6265 section 6.1 asks for.
    struct Limits: Sendable {
        var perDomain = 180
        var inAll = 3000
    }

    private struct Entry {
        var cookie: StoredCookie
        /// Counts up; a cookie that replaces another keeps its number.
        let created: Int
        var used: Int
    }

    private let limits: Limits
    private var entries: [String: [Entry]] = [:]
    private var steps = 0

    /// How many cookies there are, those included that are over and were not met since.
    private(set) var count = 0

    /// Makes an empty jar.
    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Every cookie that is not over, in the order in which they were made.
    func all(at now: Date) -> [StoredCookie] {
        entries.values.joined()
            .filter { !$0.cookie.isExpired(at: now) }
            .sorted { $0.created < $1.created }
            .map(\.cookie)
    }
}

// MARK: - Storing

extension CookieJar {
    /// Keeps a cookie, or takes out an old one if the new one is over; says if anything changed.
    mutating func store(_ cookie: StoredCookie, at now: Date) -> Bool {
        guard !cookie.isExpired(at: now) else { return remove(cookie) }
        steps += 1
        var others = entries.removeValue(forKey: cookie.domain) ?? []
        if let index = others.firstIndex(where: { $0.cookie.isSame(as: cookie) }) {
            let isChange = others[index].cookie != cookie
            others[index].cookie = cookie
            others[index].used = steps
            entries[cookie.domain] = others
            return isChange
        }
        others.append(Entry(cookie: cookie, created: steps, used: steps))
        count += 1
        if others.count > limits.perDomain {
            let before = others.count
            Self.evict(from: &others, downTo: limits.perDomain, at: now)
            count -= before - others.count
        }
        entries[cookie.domain] = others
        if count > limits.inAll { evict(at: now) }
        return true
    }

    /// Takes out the cookie of the same name, domain and path; says whether there was one.
    mutating func remove(_ cookie: StoredCookie) -> Bool {
        guard let others = entries[cookie.domain],
            let index = others.firstIndex(where: { $0.cookie.isSame(as: cookie) })
        else { return false }
        entries[cookie.domain]?.remove(at: index)
        if others.count == 1 { entries[cookie.domain] = nil }
        count -= 1
        return true
    }

    /// Takes out everything.
    mutating func removeAll() {
        entries = [:]
        count = 0
    }

    /// Whether a cookie from an unprotected response would hide one that is for protected ones only.
    func isSecureShadowed(by cookie: StoredCookie, at now: Date) -> Bool {
        entries.contains { domain, entries in
            guard
                CookieTarget.isHost(domain, in: cookie.domain)
                    || CookieTarget.isHost(cookie.domain, in: domain)
            else { return false }
            return entries.contains { entry in
                entry.cookie.isSecure && entry.cookie.name == cookie.name
                    && !entry.cookie.isExpired(at: now)
                    && CookieTarget.isPath(cookie.path, in: entry.cookie.path)
            }
        }
    }
}

// MARK: - Sending

extension CookieJar {
    /// What a request to a target carries: longer paths first, then the order of creation.
    mutating func cookies(for target: CookieTarget, at now: Date) -> [StoredCookie] {
        guard count > 0 else { return [] }
        steps += 1
        var found: [Entry] = []
        for domain in target.domains where entries[domain] != nil {
            var others = entries.removeValue(forKey: domain) ?? []
            let before = others.count
            others.removeAll { $0.cookie.isExpired(at: now) }
            count -= before - others.count
            for index in others.indices where others[index].cookie.fits(target) {
                others[index].used = steps
                found.append(others[index])
            }
            if !others.isEmpty { entries[domain] = others }
        }
        found.sort { one, other in
            let (length, otherLength) = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
            return length == otherLength ? one.created < other.created : length > otherLength
        }
        return found.map(\.cookie)
    }
}

// MARK: - Limits

extension CookieJar {
    /// Takes out those that are over, then those that were not used for longest.
    private static func evict(from entries: inout [Entry], downTo limit: Int, at now: Date) {
        entries.removeAll { $0.cookie.isExpired(at: now) }
        guard entries.count > limit else { return }
        let kept = entries.sorted { $0.used > $1.used }.prefix(limit)
        entries = kept.sorted { $0.created < $1.created }
    }

    /// Makes more room than for one, so that a server with many names does not cost a sort for each.
    private mutating func evict(at now: Date) {
        var all = Array(entries.values.joined())
        Self.evict(from: &all, downTo: limits.inAll - limits.inAll / 10, at: now)
        entries = Dictionary(grouping: all, by: \.cookie.domain)
        count = all.count
    }
}
