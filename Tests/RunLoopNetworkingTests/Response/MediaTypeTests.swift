import Testing

@testable import RunLoopNetworking

@Suite("Media type of a body", .timeLimit(.minutes(1)))
struct MediaTypeTests {
    @Test(
        "The type is in lower case and the charset is as the origin spelled it",
        arguments: [
            ("text/plain", "text/plain", nil),
            ("Text/HTML ; Charset=UTF-8", "text/html", "UTF-8"),
            ("text/html;charset=\"Shift_JIS\"", "text/html", "Shift_JIS"),
            ("text/html; charset=\"a\\\"b\"", "text/html", "a\"b"),
            ("text/html; x=\"; charset=no\"; charset=yes", "text/html", "yes"),
            ("text/html; charset = utf-8 ", "text/html", "utf-8"),
            ("text/html; charset=one; charset=two", "text/html", "one"),
            ("text/html; charset=", "text/html", nil),
            ("text/html; charset=\"\"", "text/html", nil),
            ("text/html; charset", "text/html", nil),
            ("text/html;;; charset=utf-8;", "text/html", "utf-8"),
            ("application/vnd.api+json", "application/vnd.api+json", nil),
        ] as [(String, String?, String?)]
    )
    func wellFormed(value: String, mimeType: String?, charset: String?) {
        #expect(MediaType(value).mimeType == mimeType)
        #expect(MediaType(value).charset == charset)
    }

    @Test(
        "A malformed value gives no type",
        arguments: [
            "", " ", "text", "text/", "/html", "text/html/x", "te xt/html", "text/html charset=a",
            "text/html, text/plain", "; charset=utf-8", "text/ html", "text/h\u{E9}",
        ]
    )
    func malformed(value: String) {
        #expect(MediaType(value).mimeType == nil)
    }

    @Test("A charset is read even where the type is malformed")
    func charsetAlone() {
        #expect(MediaType("; charset=utf-8").charset == "utf-8")
    }

    @Test("Of several Content-Type lines the last well-formed one counts")
    func severalLines() throws {
        let block = try HeaderBlock(fieldLines: [
            "Content-Type: text/html; charset=a", "content-type: text/plain; charset=b",
            "Content-Type: nonsense",
        ])
        #expect(block.mediaType == MediaType("text/plain; charset=b"))
        #expect(try HeaderBlock(fieldLines: ["Content-Type: x"]).mediaType == MediaType("x"))
        #expect(try HeaderBlock(fieldLines: []).mediaType == nil)
    }
}
