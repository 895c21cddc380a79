internal import Foundation

/// The value of one Set-Cookie field, taken apart.
///
/// - SeeAlso: RFC 6265 section 5.2.
struct SetCookieLine: Equatable {
    /// How many bytes the name and the value may have together.
    static let maximumByteCount = 4096

    /// How many bytes the value of an attribute may have; a longer one does not count.
    static let maximumAttributeByteCount = 1024

    let name: String
    let value: String

    /// In lower case and without a leading dot; nil when none was named.
    private(set) var domain: String?

    /// Begins with a slash; nil means the default.
    private(set) var path: String?

    /// In seconds; it counts before ``expires``.
    private(set) var maxAge: Double?

    private(set) var expires: Date?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false

    /// Reads a line; nil when it sets no cookie.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.contains(where: WireText.isForbiddenControl) else { return nil }
        var parts = bytes.split(
            separator: UInt8(ascii: ";"),
            omittingEmptySubsequences: false
        )[...]
        guard let pair = parts.popFirst(), let equals = pair.firstIndex(of: UInt8(ascii: "="))
        else { return nil }
        let name = WireText.trimBlanks(pair[..<equals])
        let value = WireText.trimBlanks(pair[pair.index(after: equals)...])
        guard !name.isEmpty, name.count + value.count <= Self.maximumByteCount else { return nil }
        self.name = String(decoding: name, as: UTF8.self)
        self.value = String(decoding: value, as: UTF8.self)
        for part in parts { take(attribute: part) }
    }

    /// Takes an attribute; of several with one name the last counts.
    private mutating func take(attribute: ArraySlice<UInt8>) {
        let equals = attribute.firstIndex(of: UInt8(ascii: "=")) ?? attribute.endIndex
        let name = WireText.trimBlanks(attribute[..<equals])
        let value = WireText.trimBlanks(attribute[equals...].dropFirst())
        guard value.count <= Self.maximumAttributeByteCount else { return }
        switch WireText.lowercase(String(decoding: name, as: UTF8.self)) {
        case "domain":
            guard let first = value.first else { return }
            let isDotted = first == UInt8(ascii: ".")
            let name = String(decoding: isDotted ? value.dropFirst() : value, as: UTF8.self)
            domain = CookieTarget.canonicalHost(name)
        case "path":
            let isAbsolute = value.first == UInt8(ascii: "/")
            path = isAbsolute ? String(decoding: value, as: UTF8.self) : nil
        case "max-age":
            maxAge = Self.seconds(value) ?? maxAge
        case "expires":
            expires = CookieDate.parse(value) ?? expires
        case "secure":
            isSecure = true
        case "httponly":
            isHTTPOnly = true
        default:
            // Not for us, such as SameSite: nothing is loaded here on behalf of another site.
            return
        }
    }

    /// Reads a Max-Age; a number beyond every calendar is one that a Double holds.
    static func seconds(_ text: ArraySlice<UInt8>) -> Double? {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty, isNumber else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }
}
