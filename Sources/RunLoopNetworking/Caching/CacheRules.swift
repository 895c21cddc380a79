internal import Foundation
internal import FoundationNetworking

/// What a private cache may keep, what it may hand out, and what a response makes void.
///
/// - SeeAlso: RFC 9111.
enum CacheRules {
    /// What is to be done with a request.
    enum Decision: Equatable {
        /// The stored response answers it.
        case serve
        /// The origin is asked whether the stored response is still right.
        case validate
        /// The request goes out as if nothing were stored.
        case load
        /// Nothing stored answers it, and nothing may go out.
        case fail
    }

    /// Statuses that are understood, as `must-understand` asks (RFC 9111 section 5.2.2.3).
    private static let understood = Freshness.heuristicStatuses.union([302, 303, 307])
}

// MARK: - Looking for a response

extension CacheRules {
    /// Whether a stored response may answer the request, or be asked about, at all.
    ///
    /// Only a plain GET. A Range, or a condition of the caller's, is between the caller and the
    /// origin: it gets a 206 or a 304 itself.
    static func isAnswerable(_ request: URLRequest, _ fields: RequestFields) -> Bool {
        let conditions = [
            "range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since",
            "if-range",
        ]
        return isKnown(request) && !conditions.contains { fields[$0] != nil }
    }

    /// Whether the request has the method and the scheme that responses are kept for.
    static func isKnown(_ request: URLRequest) -> Bool {
        request.httpMethod ?? "GET" == "GET" && request.url.map(LoadableURL.hasKnownScheme) == true
    }

    /// Whether stored responses are to be looked for.
    static func looksForStored(_ request: URLRequest, _ fields: RequestFields) -> Bool {
        switch request.cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: false
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad, .reloadRevalidatingCacheData:
            isAnswerable(request, fields)
        default: isAnswerable(request, fields) && !fields.cacheControl.contains("no-store")
        }
    }

    /// Decides about a request that nothing stored answers.
    static func decide(_ request: URLRequest, _ fields: RequestFields) -> Decision {
        switch request.cachePolicy {
        case .returnCacheDataDontLoad: .fail
        case .useProtocolCachePolicy where fields.cacheControl.contains("only-if-cached"): .fail
        default: .load
        }
    }

    /// Decides about a request that a stored response fits.
    static func decide(
        _ request: URLRequest,
        _ fields: RequestFields,
        _ stored: StoredResponse,
        at now: Date
    ) -> Decision {
        switch request.cachePolicy {
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad: return .serve
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: return .load
        case .reloadRevalidatingCacheData: break
        default:
            if isFreshEnough(stored, for: fields, at: now) { return .serve }
            if fields.cacheControl.contains("only-if-cached") { return .fail }
        }
        return ConditionalRequest(stored) == nil ? .load : .validate
    }

    /// RFC 9111 sections 4.2 and 5.2.1.
    private static func isFreshEnough(
        _ stored: StoredResponse,
        for fields: RequestFields,
        at now: Date
    ) -> Bool {
        let control = stored.cacheControl
        let wanted = fields.cacheControl
        guard !control.isUnqualified("no-cache"), !wanted.contains("no-cache") else { return false }
        // The word of old for no-cache; it counts where there is no newer one.
        if fields["cache-control"] == nil, let pragma = fields["pragma"],
            CacheControl([pragma]).contains("no-cache")
        {
            return false
        }
        let freshness = stored.freshness
        let age = freshness.age(at: now)
        if wanted.contains("max-age"), age > Double(wanted.seconds("max-age") ?? 0) { return false }
        var remaining = freshness.remaining(at: now) - Double(wanted.seconds("min-fresh") ?? 0)
        if wanted.contains("max-stale"), !control.contains("must-revalidate") {
            let most = wanted.isUnqualified("max-stale") ? CacheControl.mostSeconds : 0
            remaining += Double(wanted.seconds("max-stale") ?? most)
        }
        // A response that is as old as it may be is not fresh any more.
        return remaining > 0
    }

    /// Whether a stale response may stand in for an origin that fails.
    ///
    /// Only where the origin itself has said so, or the caller: by `stale-if-error` (RFC 5861
    /// section 4).
    static func mayStandIn(_ stored: StoredResponse, for fields: RequestFields, at now: Date)
        -> Bool
    {
        let control = stored.cacheControl
        guard !control.contains("must-revalidate"), !control.isUnqualified("no-cache") else {
            return false
        }
        let allowed = [control, fields.cacheControl].compactMap { $0.seconds("stale-if-error") }
        return allowed.max().map { stored.freshness.remaining(at: now) + Double($0) > 0 } ?? false
    }

    /// Statuses that say that the origin fails (RFC 5861 section 4).
    static func isFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}

// MARK: - What goes out

extension CacheRules {
    /// The request as it goes out: a reload is one for the caches on the way as well.
    ///
    /// RFC 9111 sections 5.2.1.1 and 5.2.1.4. A Cache-Control of the caller's says what the caller
    /// wants.
    static func outgoing(_ request: URLRequest) -> URLRequest {
        let control: String
        switch request.cachePolicy {
        case .reloadIgnoringLocalAndRemoteCacheData: control = "no-cache"
        case .reloadRevalidatingCacheData: control = "max-age=0"
        default: return request
        }
        guard request.value(forHTTPHeaderField: "Cache-Control") == nil else { return request }
        var request = request
        request.setValue(control, forHTTPHeaderField: "Cache-Control")
        let isOld = request.value(forHTTPHeaderField: "Pragma") == nil && control == "no-cache"
        if isOld { request.setValue("no-cache", forHTTPHeaderField: "Pragma") }
        return request
    }
}

// MARK: - Keeping a response

extension CacheRules {
    /// Whether the response to a request may be kept (RFC 9111 section 3).
    static func mayStore(
        _ head: HeaderBlock,
        for request: URLRequest,
        _ fields: RequestFields
    ) -> Bool {
        guard isKnown(request), fields["range"] == nil,
            isWhole(head), ![401, 407].contains(head.statusCode),
            VarySelection(head, fields) != nil, !fields.cacheControl.contains("no-store")
        else { return false }
        let control = CacheControl(head.values(for: "Cache-Control"))
        if control.contains("must-understand") {
            guard understood.contains(head.statusCode) else { return false }
        } else if control.contains("no-store") {
            return false
        }
        return Freshness.heuristicStatuses.contains(head.statusCode) || Freshness.isExplicit(head)
            || control.contains("public") || control.contains("private")
    }

    /// Whether a response is an answer by itself: no redirect, no part, no 304.
    static func isWhole(_ head: HeaderBlock) -> Bool {
        head.statusCode >= 200 && ![206, 301, 302, 303, 304, 307, 308].contains(head.statusCode)
    }

    /// Whether a delegate is asked about a response that is about to be kept.
    ///
    /// Apple asks about 200 to 299
    /// (https://developer.apple.com/documentation/foundation/nsurlconnectiondatadelegate/connection(_:willcacheresponse:)).
    static func isAskedAbout(_ head: HeaderBlock) -> Bool { (200...299).contains(head.statusCode) }
}

// MARK: - What becomes void

extension CacheRules {
    /// The URLs whose stored responses are void after a response (RFC 9111 section 4.4).
    static func invalidated(by head: HeaderBlock, to request: URLRequest) -> [URL] {
        let safe = ["GET", "HEAD", "OPTIONS", "TRACE"]
        guard !safe.contains(request.httpMethod ?? "GET"), (200...399).contains(head.statusCode),
            let url = request.url
        else { return [] }
        let named = ["Location", "Content-Location"].compactMap { head.values(for: $0).first }
            .compactMap { RedirectRules.target(of: $0, from: url) }
        return [url] + named.filter { LoadableURL.haveSameOrigin($0, url) }
    }
}
