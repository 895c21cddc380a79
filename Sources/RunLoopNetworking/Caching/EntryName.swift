/// The name of one kept response: its URL, and which of the URL's variants it is.
struct EntryName: Hashable, Sendable {
    /// The digest of the URL.
    let key: String

    /// The digest of what the response was chosen by.
    let variant: String

    /// Names a response.
    init(_ key: CacheKey, _ vary: VarySelection) {
        self.key = key.digest
        variant = String(vary.digest.prefix(16))
    }

    /// Reads the name of a file; nil when it is not one of ours.
    init?(fileName: String) {
        guard fileName.hasSuffix(Self.suffix) else { return nil }
        let parts = fileName.dropLast(Self.suffix.count).split(separator: "-")
        guard parts.count == 2, parts[0].utf8.count == 32, parts[1].utf8.count == 16,
            parts.joined().utf8.allSatisfy(Self.isHexDigit)
        else { return nil }
        key = String(parts[0])
        variant = String(parts[1])
    }

    /// The name of its file.
    var fileName: String { "\(key)-\(variant)\(Self.suffix)" }

    private static let suffix = ".response"

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
