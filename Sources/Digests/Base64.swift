/// Bytes as base64 with padding (RFC 4648 section 4).
enum Base64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    /// Writes groups of four letters.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start...].prefix(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                let isUsed = place <= group.count
                text.append(isUsed ? letters[bits >> (18 - 6 * place) & 63] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads groups of four letters; nil if a group is not full, or a bit is set that means nothing.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let text = Array(text.utf8)
        guard text.count.isMultiple(of: 4) else { return nil }
        let paddingCount = text.reversed().prefix { $0 == padding }.count
        guard paddingCount <= 2 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: 4) {
            var bits = 0
            for (place, letter) in text[start..<start + 4].enumerated() {
                let isPadding = start + place >= text.count - paddingCount
                guard let value = isPadding ? 0 : value(of: letter) else { return nil }
                bits = bits << 6 | value
            }
            bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
        }
        guard bytes.suffix(paddingCount).allSatisfy({ $0 == 0 }) else { return nil }
        return bytes.dropLast(paddingCount)
    }

    private static func value(of letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
