internal import Foundation

/// What a `data:` URL holds (RFC 2397).
///
/// It is read as browsers do, which is more than the RFC allows
/// (https://fetch.spec.whatwg.org/#data-url-processor).
struct DataURL {
    /// The media type; `text/plain;charset=US-ASCII` where the URL names none.
    let mediaType: DataMediaType

    /// The content.
    let bytes: [UInt8]

    /// Reads a URL; nil when it has no comma, or is no base64 where it says so.
    ///
    /// Foundation writes some characters as escapes that may stand in a media type, a blank before the
    /// comma for example. They are put back.
    init?(_ url: URL) {
        let text = url.absoluteString
        let end = text.utf8.firstIndex(of: UInt8(ascii: ",")) ?? text.endIndex
        self.init(Self.restore(text[..<end]) + text[end...])
    }

    /// Reads the text of a URL.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        rest = rest[(colon + 1)...]
        guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        var type = Self.trim(rest[..<comma], Self.isWhitespace)
        let body = Self.percentDecode(rest[(comma + 1)...])
        if let bare = Self.withoutBase64(type) {
            guard let decoded = ForgivingBase64.decode(body) else { return nil }
            type = bare
            bytes = decoded
        } else {
            bytes = body
        }
        if type.first == UInt8(ascii: ";") { type = Array("text/plain".utf8) + type }
        mediaType = DataMediaType(type) ?? .usual
    }

    /// Whether there is content at all; whether it can be decoded shows when that is done.
    static func hasContent(_ url: URL) -> Bool {
        url.absoluteString.utf8.contains(UInt8(ascii: ","))
    }

    /// What Foundation escapes, and the standard for URLs does not.
    private static let restored: [String: String] = [
        "20": " ", "22": "\"", "3C": "<", "3E": ">", "5B": "[", "5C": "\\", "5D": "]", "5E": "^",
        "60": "`", "7B": "{", "7C": "|", "7D": "}",
    ]

    private static func restore(_ text: Substring) -> String {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts.first ?? "")) { restored, part in
            let character = Self.restored[String(part.prefix(2))]
            restored += character.map { $0 + part.dropFirst(2) } ?? "%" + part
        }
    }

    /// The media type before `;base64`, with blanks between the two; nil when that is not there.
    private static func withoutBase64(_ type: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let word = "base64"
        guard WireText.lowercase(WireText.latin1(type.suffix(word.utf8.count))) == word else {
            return nil
        }
        var rest = type.dropLast(word.utf8.count)
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
        return rest.last == UInt8(ascii: ";") ? rest.dropLast() : nil
    }

    /// Replaces escapes by their bytes; a percent sign that begins none stays.
    private static func percentDecode(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(WireText.hexValue),
                let low = rest.dropFirst().first.flatMap(WireText.hexValue)
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    /// Whether a byte is whitespace in ASCII: a tab, a line break, a form feed or a blank.
    static func isWhitespace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20: true
        default: false
        }
    }

    /// Removes bytes at both ends.
    static func trim(
        _ bytes: ArraySlice<UInt8>,
        _ isTrimmed: (UInt8) -> Bool
    ) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
