internal import Foundation

/// A ``StoredResponse`` in the form in which it stands in a file.
struct StoredHead: Codable {
    private let url: String
    private let status: Int
    private let version: String
    private let reason: String
    private let names: [String]
    private let values: [String]
    private let isDecoded: Bool
    private let varyNames: [String]
    private let varyDigest: String
    private let requestTime: Double
    private let responseTime: Double
    private let userInfo: Data?

    init(_ response: StoredResponse) {
        url = response.url
        status = response.head.statusCode
        version = response.head.httpVersion
        reason = response.head.reason
        names = response.head.fields.map(\.name)
        values = response.head.fields.map(\.value)
        isDecoded = response.isDecoded
        varyNames = response.vary.names
        varyDigest = response.vary.digest
        requestTime = response.requestTime.timeIntervalSince1970
        responseTime = response.responseTime.timeIntervalSince1970
        userInfo = response.userInfo
    }

    /// The bytes of a response's head.
    static func encode(_ response: StoredResponse) -> [UInt8] {
        guard let data = try? JSONEncoder().encode(StoredHead(response)) else {
            preconditionFailure("texts, numbers and truth values can always be encoded")
        }
        return [UInt8](data)
    }

    /// Reads a response's head; nil when the bytes are none.
    static func decode(_ bytes: [UInt8]) -> StoredResponse? {
        // What is wrong does not matter: the file goes.
        guard let stored = try? JSONDecoder().decode(StoredHead.self, from: Data(bytes)),
            stored.names.count == stored.values.count
        else { return nil }
        let fields = zip(stored.names, stored.values).map { HeaderField(name: $0, value: $1) }
        return StoredResponse(
            url: stored.url,
            head: HeaderBlock(
                statusCode: stored.status,
                httpVersion: stored.version,
                reason: stored.reason,
                fields: fields
            ),
            isDecoded: stored.isDecoded,
            vary: VarySelection(names: stored.varyNames, digest: stored.varyDigest),
            requestTime: Date(timeIntervalSince1970: stored.requestTime),
            responseTime: Date(timeIntervalSince1970: stored.responseTime),
            userInfo: stored.userInfo
        )
    }
}
