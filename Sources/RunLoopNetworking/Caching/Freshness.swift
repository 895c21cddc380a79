internal import Foundation

/// How old a stored response is, and how long it may be used without asking the origin.
///
/// - SeeAlso: RFC 9111 section 4.2.
struct Freshness: Sendable, Equatable {
    /// How long the response is fresh after it was made, in seconds; never less than 0.
    let lifetime: Double

    /// How old it was when it came, in seconds.
    let initialAge: Double

    private let responseTime: Date

    /// Reads what the head of a response says.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - requestTime: When the request went out.
    ///   - responseTime: When the head came.
    init(_ head: HeaderBlock, requestTime: Date, responseTime: Date) {
        self.responseTime = responseTime
        let date = head.values(for: "Date").first.flatMap {
            HTTPDate.parse($0, now: responseTime)
        }
        let apparentAge = date.map { max(0, responseTime.timeIntervalSince($0)) } ?? 0
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        initialAge = max(apparentAge, Double(Self.ageField(head)) + delay)
        let lifetime = Self.explicitLifetime(head, date: date ?? responseTime, now: responseTime)
        self.lifetime = lifetime ?? Self.heuristicLifetime(head, date: date ?? responseTime)
    }

    /// How old the response is, in seconds.
    ///
    /// A clock that was set back makes it as old as can be: nobody knows how long it has lain here.
    func age(at now: Date) -> Double {
        let resident = now.timeIntervalSince(responseTime)
        return resident < 0 ? .infinity : initialAge + resident
    }

    /// For how many seconds more it is fresh; less than 0 when it is stale.
    func remaining(at now: Date) -> Double { lifetime - age(at: now) }

    /// The value of Age (RFC 9111 section 5.1), 0 when there is none that can be used.
    private static func ageField(_ head: HeaderBlock) -> Int {
        let first = head.values(for: "Age").flatMap(ListElements.of).first
        return first.flatMap(CacheControl.seconds) ?? 0
    }
}

// MARK: - Lifetimes

extension Freshness {
    /// Statuses whose responses may be used again although they don't say for how long.
    ///
    /// RFC 9110 section 15.1, without 206: parts are not stored here.
    static let heuristicStatuses: Set<Int> = [
        200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501,
    ]

    /// The share of a resource's age that a guess adds, and the longest guess in seconds.
    private static let heuristicShare = 0.1
    private static let longestGuess = 86_400.0

    /// Whether a head says for how long it is fresh.
    static func isExplicit(_ head: HeaderBlock) -> Bool {
        CacheControl(head.values(for: "Cache-Control")).contains("max-age")
            || !head.values(for: "Expires").isEmpty
    }

    /// What max-age or Expires say; what they can't be understood to say is that nothing is fresh.
    ///
    /// `s-maxage` is for caches that many use, and does not count here.
    private static func explicitLifetime(_ head: HeaderBlock, date: Date, now: Date) -> Double? {
        let control = CacheControl(head.values(for: "Cache-Control"))
        if control.contains("max-age") { return Double(control.seconds("max-age") ?? 0) }
        let expires = head.values(for: "Expires")
        guard let first = expires.first else { return nil }
        guard expires.allSatisfy({ $0 == first }), let end = HTTPDate.parse(first, now: now) else {
            return 0
        }
        return max(0, end.timeIntervalSince(date))
    }

    /// A tenth of the time that the resource has been as it is (RFC 9111 section 4.2.2).
    private static func heuristicLifetime(_ head: HeaderBlock, date: Date) -> Double {
        let control = CacheControl(head.values(for: "Cache-Control"))
        let isAllowed = heuristicStatuses.contains(head.statusCode) || control.contains("public")
        guard isAllowed, let modified = head.values(for: "Last-Modified").first,
            let since = HTTPDate.parse(modified, now: date)
        else { return 0 }
        return min(max(0, date.timeIntervalSince(since)) * heuristicShare, longestGuess)
    }
}
