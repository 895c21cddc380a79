package import Digests
package import Foundation
package import FoundationNetworking
internal import RunLoopNetworking

/// What each message's line says behind `message`, `t`, `on` and `connection`.
package enum MessageFields {
    /// The fields of a request that is about to be sent; `redirectStatus` only behind a redirect.
    package static func willSend(
        _ request: URLRequest,
        after redirect: URLResponse?
    ) -> JSONValue {
        let fields: JSONValue = [
            "url": .optional(request.url?.absoluteString),
            "method": .optional(request.httpMethod),
            "headers": object(headers(of: request)),
        ]
        guard let redirect else { return fields }
        let status = (redirect as? HTTPURLResponse)?.statusCode
        return fields.followed(by: ["redirectStatus": status.map(JSONValue.count) ?? .null])
    }

    /// The fields of a body that goes out; `expected` is -1 when its length is not known.
    package static func sentBody(_ bytes: Int, total: Int, expected: Int) -> JSONValue {
        ["bytes": .count(bytes), "total": .count(total), "expected": .count(expected)]
    }

    /// The fields of the question for a new body stream.
    package static func needNewBodyStream(_ request: URLRequest) -> JSONValue {
        ["url": .optional(request.url?.absoluteString)]
    }

    /// The fields of a challenge, and how it was answered.
    package static func challenge(
        _ challenge: URLAuthenticationChallenge,
        answer: String
    ) -> JSONValue {
        let space = challenge.protectionSpace
        let fields: JSONValue = [
            "method": .text(space.authenticationMethod),
            "host": .text(space.host),
            "port": .count(space.port),
            "realm": .optional(space.realm),
            "failures": .count(challenge.previousFailureCount),
            "answer": .text(answer),
        ]
        guard let trust = space.serverTrust else { return fields }
        return fields.followed(by: [
            "fingerprint": .optional(trust.certificates.first?.fingerprint),
            "fault": .optional(trust.failure?.description),
        ])
    }

    /// The fields of a response, null where it says nothing.
    package static func response(_ response: URLResponse) -> JSONValue {
        let http = response as? HTTPURLResponse
        return [
            "status": http.map { .count($0.statusCode) } ?? .null,
            "url": .optional(response.url?.absoluteString),
            "headers": object(headers(of: response)),
            "expected": .integer(response.expectedContentLength),
            "mime": .optional(response.mimeType),
            "encoding": .optional(response.textEncodingName),
            "filename": .optional(response.suggestedFilename),
        ]
    }

    /// The fields of bytes; `body` only where they are asked for.
    package static func data(
        _ data: Data,
        total: Int64,
        digest: SHA256Digest,
        showsBody: Bool
    ) -> JSONValue {
        let fields: JSONValue = [
            "bytes": .count(data.count),
            "total": .integer(total),
            "sha256": .text("\(digest)"),
        ]
        guard showsBody else { return fields }
        return fields.followed(by: ["body": .text(data.base64EncodedString())])
    }

    /// The fields of a failure; `curl` is null where libcurl has no code for it.
    package static func failed(_ error: any Error) -> JSONValue {
        let failure = error as NSError
        let url = (error as? URLError)?.failingURL
        return [
            "domain": .text(failure.domain),
            "code": .count(failure.code),
            "curl": curlCode(of: failure).map(JSONValue.count) ?? .null,
            "url": .optional(url?.absoluteString),
            "description": .text(failure.localizedDescription),
        ]
    }

    /// The header fields in the order of their names: a dictionary has none of its own.
    package static func headers(of response: URLResponse) -> [(name: String, value: String)] {
        let fields = (response as? HTTPURLResponse)?.allHeaderFields ?? [:]
        return fields.map { (name: "\($0.key)", value: "\($0.value)") }.sorted { $0 < $1 }
    }

    private static func headers(of request: URLRequest) -> [(name: String, value: String)] {
        let fields = request.allHTTPHeaderFields ?? [:]
        return fields.map { (name: $0.key, value: $0.value) }.sorted { $0 < $1 }
    }

    private static func object(_ headers: [(name: String, value: String)]) -> JSONValue {
        .object(headers.map { JSONValue.Member(name: $0.name, value: .text($0.value)) })
    }

    /// A failure in one sentence, for those who don't want its fields.
    package static func sentence(for error: any Error) -> String {
        let failure = error as NSError
        return "\(failure.domain) \(failure.code): \(failure.localizedDescription)"
    }

    private static func curlCode(of failure: NSError) -> Int? {
        let cause = failure.userInfo[NSUnderlyingErrorKey] as? NSError
        return cause?.domain == curlErrorDomain ? cause?.code : nil
    }
}
