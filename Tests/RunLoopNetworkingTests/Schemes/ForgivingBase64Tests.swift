import Testing

@testable import RunLoopNetworking

@Suite("Forgiving base64", .timeLimit(.minutes(1)))
struct ForgivingBase64Tests {
    private struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let bytes: [UInt8]?

        var testDescription: String { text.debugDescription }

        init(_ text: String, _ bytes: [UInt8]? = nil) {
            self.text = text
            self.bytes = bytes
        }
    }

    /// The cases that browsers are tested with, from the web platform tests, as facts.
    private static let rows = [
        Row("", []),
        Row("abcd", [105, 183, 29]),
        Row(" abcd", [105, 183, 29]),
        Row("abcd ", [105, 183, 29]),
        Row(" abcd==="),
        Row("abcd=== "),
        Row("abcd ==="),
        Row("a"),
        Row("ab", [105]),
        Row("abc", [105, 183]),
        Row("abcde"),
        Row("\u{10000}"),
        Row("="),
        Row("=="),
        Row("==="),
        Row("===="),
        Row("====="),
        Row("a="),
        Row("a=="),
        Row("a==="),
        Row("a===="),
        Row("a====="),
        Row("ab="),
        Row("ab==", [105]),
        Row("ab==="),
        Row("ab===="),
        Row("ab====="),
        Row("abc=", [105, 183]),
        Row("abc=="),
        Row("abc==="),
        Row("abc===="),
        Row("abc====="),
        Row("abcd="),
        Row("abcd=="),
        Row("abcd==="),
        Row("abcd===="),
        Row("abcd====="),
        Row("abcde="),
        Row("abcde=="),
        Row("abcde==="),
        Row("abcde===="),
        Row("abcde====="),
        Row("=a"),
        Row("=a="),
        Row("a=b"),
        Row("a=b="),
        Row("ab=c"),
        Row("ab=c="),
        Row("abc=d"),
        Row("abc=d="),
        Row("ab\u{b}cd"),
        Row("ab\u{3000}cd"),
        Row("ab\u{3001}cd"),
        Row("ab\tcd", [105, 183, 29]),
        Row("ab\ncd", [105, 183, 29]),
        Row("ab\u{c}cd", [105, 183, 29]),
        Row("ab\rcd", [105, 183, 29]),
        Row("ab cd", [105, 183, 29]),
        Row("ab\u{a0}cd"),
        Row("ab\t\n\u{c}\r cd", [105, 183, 29]),
        Row(" \t\n\u{c}\r ab\t\n\u{c}\r cd\t\n\u{c}\r ", [105, 183, 29]),
        Row("ab\t\n\u{c}\r =\t\n\u{c}\r =\t\n\u{c}\r ", [105]),
        Row("A"),
        Row("/A", [252]),
        Row("//A", [255, 240]),
        Row("///A", [255, 255, 192]),
        Row("////A"),
        Row("/"),
        Row("A/", [3]),
        Row("AA/", [0, 15]),
        Row("AAAA/"),
        Row("AAA/", [0, 0, 63]),
        Row("\u{0}nonsense"),
        Row("abcd\u{0}nonsense"),
        Row("YQ", [97]),
        Row("YR", [97]),
        Row("~~"),
        Row(".."),
        Row("--"),
        Row("__"),
    ]

    @Test("A text is decoded as browsers do, or is none", arguments: rows)
    private func platform(row: Row) {
        #expect(ForgivingBase64.decode(Array(row.text.utf8)) == row.bytes)
    }
}
