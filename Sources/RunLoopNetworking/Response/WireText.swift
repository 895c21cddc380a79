/// The small rules by which bytes and text of an HTTP message become strings.
enum WireText {
    /// Decodes bytes as UTF-8 where they are valid UTF-8, and as Latin-1 otherwise.
    ///
    /// RFC 9110 section 5.5 calls the bytes above 0x7F opaque. Servers send both encodings, and
    /// text in Latin-1 is hardly ever valid UTF-8 by accident. Latin-1 cannot fail, so that no
    /// field is lost.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    /// Decodes bytes as Latin-1, in which each byte is the code point of the same number.
    static func latin1(_ bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return String(text)
    }

    /// Replaces percent escapes by their bytes; nil where a percent sign begins no escape.
    ///
    /// The escapes are those of RFC 3986 section 2.1. Other characters give their UTF-8 bytes.
    static func percentDecode(_ text: some StringProtocol) -> [UInt8]? {
        var decoded: [UInt8] = []
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(hexValue),
                let low = bytes.next().flatMap(hexValue)
            else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// Lowers the letters A to Z and no others.
    ///
    /// The names of HTTP are ASCII. Full case mapping would also turn the Kelvin sign into `k`.
    static func lowercase(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.lazy.map(lowercase), as: UTF8.self)
    }

    /// Raises the letters a to z and no others.
    static func uppercase(_ text: some StringProtocol) -> String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return String(
            decoding: text.utf8.lazy.map { letters.contains($0) ? $0 & ~0x20 : $0 },
            as: UTF8.self
        )
    }

    /// Says whether two names are the same but for the case of the letters A to Z.
    static func isSameName(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) { lowercase($0) == lowercase($1) }
    }

    /// Says whether text is a token of RFC 9110 section 5.6.2.
    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isTokenByte($0) }
    }

    /// Says whether a scalar may stand in a token68 before its equals signs (RFC 9110 section 11.2).
    static func isToken68Scalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "a"..."z", "A"..."Z", "-", ".", "_", "~", "+", "/": true
        default: false
        }
    }

    /// Says whether a byte is a blank: a space or a tab.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// Says whether a byte may not stand in a line: a control byte other than the tab.
    static func isForbiddenControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F
    }

    /// Removes the blanks at both ends.
    static func trimBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) {
            rest.removeLast()
        }
        return rest
    }

    /// Removes the line end, which is CR LF or a lone LF (RFC 9112 section 2.2).
    static func withoutLineEnd(_ line: some Collection<UInt8>) -> ArraySlice<UInt8> {
        var content = Array(line)[...]
        guard content.last == UInt8(ascii: "\n") else { return content }
        content.removeLast()
        if content.last == UInt8(ascii: "\r") {
            content.removeLast()
        }
        return content
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
