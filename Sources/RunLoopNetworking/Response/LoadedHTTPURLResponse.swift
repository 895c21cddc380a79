import Foundation
import FoundationNetworking

/// An HTTP response whose derived properties follow the RFCs.
///
/// `HTTPURLResponse` of Foundation on Linux takes the name of a file, the length and the media type
/// from the fields by rules of its own: it hands on `..` as a file name, a negative length, and the
/// length of a coded body. The four properties that depend on them are overridden here.
/// `allHeaderFields` and `value(forHTTPHeaderField:)` cannot be overridden; they are right because
/// the fields are joined and trimmed before Foundation gets them. Foundation respells the keys of
/// `allHeaderFields`, so look a field up with `value(forHTTPHeaderField:)`.
///
/// Nothing in a response changes after `init`, and `copy()` returns the same object.
// `@unchecked` only restates what the superclass says. The stored properties are all constants.
final class LoadedHTTPURLResponse: HTTPURLResponse, @unchecked Sendable {
    private enum Key {
        static let statusCode = "RunLoopNetworking.statusCode"
        static let httpVersion = "RunLoopNetworking.httpVersion"
        static let reason = "RunLoopNetworking.reason"
        static let names = "RunLoopNetworking.names"
        static let values = "RunLoopNetworking.values"
        static let isDecoded = "RunLoopNetworking.isDecoded"
        static let all = [statusCode, httpVersion, reason, names, values, isDecoded]
    }

    /// The head of the response as it came.
    let headers: HeaderBlock

    private let mediaType: MediaType?
    private let bodyLength: Int64

    /// Whether the delegate gets other bytes than were sent, because their coding is taken off.
    let isDecoded: Bool

    /// Makes the response of a head; nil only if Foundation refuses to make one.
    init?(url: URL, headers: HeaderBlock, isDecoded: Bool = false) {
        self.headers = headers
        self.isDecoded = isDecoded
        mediaType = headers.mediaType
        bodyLength = headers.expectedContentLength(isDecoded: isDecoded)
        super.init(
            url: url,
            statusCode: headers.statusCode,
            httpVersion: headers.httpVersion,
            headerFields: headers.joined
        )
    }

    /// Reads a response from an archive; nil if the archive does not hold one.
    required init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding, let headers = Self.decodeHeaders(from: coder) else {
            return nil
        }
        self.headers = headers
        isDecoded = coder.decodeBool(forKey: Key.isDecoded)
        mediaType = headers.mediaType
        bodyLength = headers.expectedContentLength(isDecoded: isDecoded)
        super.init(coder: coder)
    }

    /// The name under which to save the body, safe to create directly in a folder.
    override var suggestedFilename: String? {
        SuggestedFilename.name(
            disposition: headers.values(for: "Content-Disposition").first,
            url: url,
            mimeType: mimeType
        )
    }

    /// The number of bytes that the delegate may expect, or -1 if it is unknown.
    override var expectedContentLength: Int64 { bodyLength }

    /// The media type in lower case, without parameters; nil if it is absent or malformed.
    override var mimeType: String? { mediaType?.mimeType }

    /// The charset as the origin spelled it; nil if absent.
    override var textEncodingName: String? { mediaType?.charset }

    /// Writes the response to an archive; the coder must allow keys.
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(headers.statusCode, forKey: Key.statusCode)
        coder.encode(headers.httpVersion as NSString, forKey: Key.httpVersion)
        coder.encode(headers.reason as NSString, forKey: Key.reason)
        coder.encode(isDecoded, forKey: Key.isDecoded)
        coder.encode(headers.fields.map(\.name) as NSArray, forKey: Key.names)
        coder.encode(headers.fields.map(\.value) as NSArray, forKey: Key.values)
    }

    private static func decodeHeaders(from coder: NSCoder) -> HeaderBlock? {
        // An unarchiver may stop the program when it is asked for a key that is not there.
        guard
            Key.all.allSatisfy(coder.containsValue),
            let httpVersion = coder.decodeObject(of: NSString.self, forKey: Key.httpVersion),
            let reason = coder.decodeObject(of: NSString.self, forKey: Key.reason),
            let names = decodeStrings(from: coder, forKey: Key.names),
            let values = decodeStrings(from: coder, forKey: Key.values),
            names.count == values.count
        else { return nil }
        return HeaderBlock(
            statusCode: coder.decodeInteger(forKey: Key.statusCode),
            httpVersion: httpVersion as String,
            reason: reason as String,
            fields: zip(names, values).map { HeaderField(name: $0, value: $1) }
        )
    }

    private static func decodeStrings(from coder: NSCoder, forKey key: String) -> [String]? {
        coder.decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
    }
}
