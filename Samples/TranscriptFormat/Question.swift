internal import Foundation
package import FoundationNetworking

/// A request as it stands on one line of standard input.
package struct Question: Decodable, Sendable {
    /// How far a response that was kept may answer, in the words of the Fetch standard.
    enum Cache: String, Decodable {
        case standard = "default"
        case noStore = "no-store"
        case reload
        case noCache = "no-cache"
        case forceCache = "force-cache"
        case onlyIfCached = "only-if-cached"

        var policy: URLRequest.CachePolicy {
            switch self {
            case .standard: .useProtocolCachePolicy
            case .noStore: .reloadIgnoringLocalCacheData
            case .reload: .reloadIgnoringLocalAndRemoteCacheData
            case .noCache: .reloadRevalidatingCacheData
            case .forceCache: .returnCacheDataElseLoad
            case .onlyIfCached: .returnCacheDataDontLoad
            }
        }
    }

    enum Redirect: String, Decodable {
        case follow
        case manual
    }

    let url: String
    let method: String?
    let headers: [[String]]?
    let body: String?
    let cache: Cache?
    let redirect: Redirect?

    /// Whether a redirect is the answer, instead of being followed.
    package var refusesRedirects: Bool { redirect == .manual }

    /// Reads a line.
    ///
    /// - Throws: ``UsageError`` when it is no question.
    package static func read(_ line: String) throws(UsageError) -> Question {
        do {
            return try JSONDecoder().decode(Question.self, from: Data(line.utf8))
        } catch let error as DecodingError {
            throw UsageError(sentence(for: error))
        } catch {
            throw UsageError("the line is no JSON")
        }
    }

    /// The request that is asked for.
    ///
    /// - Throws: ``UsageError`` when there can be no such request.
    package func request() throws(UsageError) -> URLRequest {
        guard let url = URL(string: url) else { throw UsageError("\(url) is no URL") }
        var request = URLRequest(url: url, cachePolicy: (cache ?? .standard).policy)
        request.httpMethod = method ?? "GET"
        for field in headers ?? [] {
            guard field.count == 2 else {
                throw UsageError("a header field is a list of two texts: its name and its value")
            }
            request.addValue(field[1], forHTTPHeaderField: field[0])
        }
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private static func sentence(for error: DecodingError) -> String {
        func name(_ path: [any CodingKey]) -> String {
            path.first?.stringValue ?? "the line"
        }
        switch error {
        case .keyNotFound(let key, _): return "there is no \(key.stringValue)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(name(context.codingPath)) is of the wrong kind"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "the line is no JSON" : "\(name(context.codingPath)) has no such value"
        @unknown default: return "the line is no request"
        }
    }
}
