internal import Foundation
internal import FoundationNetworking

/// The question to the origin whether a stored response is still right.
///
/// - SeeAlso: RFC 9111 section 4.3.
struct ConditionalRequest: Sendable, Equatable {
    private let entityTag: String?
    private let lastModified: String?

    /// Makes the question about a stored response; nil when it has nothing to ask by.
    init?(_ stored: StoredResponse) {
        entityTag = stored.head.values(for: "ETag").first
        lastModified = stored.head.values(for: "Last-Modified").first.flatMap {
            HTTPDate.parse($0, now: stored.responseTime) == nil ? nil : $0
        }
        if entityTag == nil, lastModified == nil { return nil }
    }

    /// The request that asks.
    func applied(to request: URLRequest) -> URLRequest {
        var request = request
        request.setValue(entityTag, forHTTPHeaderField: "If-None-Match")
        request.setValue(lastModified, forHTTPHeaderField: "If-Modified-Since")
        return request
    }
}

// MARK: - The answer

extension StoredResponse {
    /// The stored response after a 304 that answers the question about it (RFC 9111 section 4.3.4).
    ///
    /// A 304 that names another entity tag changes nothing: it speaks of something else.
    func freshened(by head: HeaderBlock, requestTime: Date, responseTime: Date) -> StoredResponse {
        if let tag = head.values(for: "ETag").first, let own = self.head.values(for: "ETag").first,
            Self.opaque(tag) != Self.opaque(own)
        {
            return self
        }
        var fresh = self
        fresh.head = StorableFields.updated(self.head, by: head)
        fresh.requestTime = requestTime
        fresh.responseTime = responseTime
        return fresh
    }

    /// The stored response after an answer to HEAD; nil when it is void (RFC 9111 section 4.3.5).
    func updated(byHead head: HeaderBlock, requestTime: Date, responseTime: Date) -> StoredResponse?
    {
        let described =
            isDecoded ? ["ETag", "Last-Modified"] : ["ETag", "Last-Modified", "Content-Length"]
        let isSame = described.allSatisfy { name in
            guard let new = head.values(for: name).first else { return true }
            return new == self.head.values(for: name).first
        }
        return isSame
            ? freshened(by: head, requestTime: requestTime, responseTime: responseTime) : nil
    }

    /// An entity tag without the mark that makes it a weak one (RFC 9110 section 8.8.3.2).
    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
