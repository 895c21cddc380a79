/// The elements of a value that is a list: what stands between its commas, without blanks around.
///
/// A comma inside a quoted string separates nothing (RFC 9110 sections 5.6.1 and 5.6.4).
enum ListElements {
    /// Takes a value apart; empty elements are left out.
    static func of(_ value: String) -> [String] {
        var elements: [String] = []
        var element: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in value.utf8 {
            if byte == UInt8(ascii: ","), !isQuoted {
                elements.append(text(element))
                element = []
                continue
            }
            element.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isQuoted {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
        }
        elements.append(text(element))
        return elements.filter { !$0.isEmpty }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: WireText.trimBlanks(bytes[...]), as: UTF8.self)
    }
}
