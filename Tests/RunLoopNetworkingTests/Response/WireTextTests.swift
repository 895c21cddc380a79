import Testing

@testable import RunLoopNetworking

@Suite("Text of a message", .timeLimit(.minutes(1)))
struct WireTextTests {
    @Test("Bytes are UTF-8 where they can be, and Latin-1 where they cannot")
    func decoding() {
        #expect(WireText.decode(Array("é中".utf8)) == "é中")
        #expect(WireText.decode([0x63, 0x61, 0x66, 0xE9]) == "café")
        #expect(WireText.decode([0xFF]) == "\u{FF}")
        #expect(WireText.decode([]).isEmpty)
    }

    @Test(
        "A percent sign must begin an escape",
        arguments: [
            ("a%20b", "a b"), ("%41%6a%6A", "Ajj"), ("", ""), ("plain", "plain"),
            ("%", nil), ("a%4", nil), ("%zz", nil), ("%4g", nil), ("%%41", nil), ("%+1", nil),
        ] as [(String, String?)]
    )
    func percentEscapes(text: String, expected: String?) {
        #expect(WireText.percentDecode(text).map { WireText.decode($0) } == expected)
    }

    @Test("Names are compared by their ASCII letters alone")
    func names() {
        #expect(WireText.isSameName("eTag", "ETAG"))
        #expect(!WireText.isSameName("ETag", "ETags"))
        #expect(!WireText.isSameName("k", "\u{212A}"))
        #expect(!WireText.isSameName("[", "{"))
        #expect(WireText.lowercase("ÀB-C") == "Àb-c")
    }
}
