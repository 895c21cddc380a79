import Testing

@testable import RunLoopNetworking

@Suite("Content-Disposition", .timeLimit(.minutes(1)))
struct ContentDispositionTests {
    @Test(
        "A plain file name is a token, a quoted string, or what stands before the semicolon",
        arguments: [
            ("attachment", nil),
            ("attachment; filename=a.txt", "a.txt"),
            ("ATTACHMENT; FileName=\"a b.txt\"", "a b.txt"),
            ("attachment; filename=my report (1).pdf; size=3", "my report (1).pdf"),
            ("attachment; filename=\"a\\\"b\\\\c;d.txt\"; x=y", "a\"b\\c;d.txt"),
            ("attachment; x=\"; filename=no\"; filename=yes", "yes"),
            ("attachment; filename = \"a.txt\" junk; x=y", "a.txt"),
            ("attachment; x=\"a\" filename=no; filename=yes", "yes"),
            ("attachment; x=\"a\u{301}\"\u{301}; filename=yes", "yes"),
            ("attachment; filename=\"open.txt", "open.txt"),
            ("attachment; filename=\"open\\", "open"),
            ("attachment; filename=one; filename=two", "one"),
            ("attachment; filename=\"\"", nil),
            ("attachment; filename=", nil),
            ("attachment; filename", nil),
            ("attachment; xfilename=a", nil),
            ("filename=\"a;b.txt\"", "a;b.txt"),
            ("", nil), (";", nil), (";;=;", nil),
        ] as [(String, String?)]
    )
    func plain(value: String, filename: String?) {
        #expect(ContentDisposition(value).filename == filename)
    }

    // B029: the percent form is kept as it is
    @Test("Percent escapes in a plain file name are kept, and text beyond ASCII is kept")
    func plainBeyondASCII() {
        #expect(ContentDisposition("a; filename=\"%E4%B8%AD.pdf\"").filename == "%E4%B8%AD.pdf")
        #expect(ContentDisposition("a; filename=\"中文 报告.pdf\"").filename == "中文 报告.pdf")
    }

    // B028
    @Test(
        "The starred file name wins wherever it stands, unless it cannot be decoded",
        arguments: [
            ("UTF-8''na%C3%AFve%20caf%C3%A9.txt", "naïve café.txt"),
            ("utf-8'en'x.txt", "x.txt"),
            ("iso-8859-1'en'%A3.txt", "£.txt"),
            ("\"UTF-8''quoted.txt\"", "quoted.txt"),
            ("UTF-8''it's.txt", "it's.txt"),
            ("UTF-8''..%2Fx", "../x"),
            ("UTF-8''%zz", "fallback.txt"),
            ("UTF-8''%4", "fallback.txt"),
            ("UTF-8''%FF", "fallback.txt"),
            ("UTF-8''", "fallback.txt"),
            ("UTF-8'x", "fallback.txt"),
            ("x.txt", "fallback.txt"),
            ("", "fallback.txt"),
            ("''x.txt", "fallback.txt"),
            ("KOI8-R''x.txt", "fallback.txt"),
            ("iso-8859-1''中", "fallback.txt"),
        ]
    )
    func starred(value: String, filename: String) {
        let starLast = "attachment; filename=\"fallback.txt\"; filename*=" + value
        let starFirst = "attachment; FILENAME*=" + value + "; filename=\"fallback.txt\""
        #expect(ContentDisposition(starLast).filename == filename)
        #expect(ContentDisposition(starFirst).filename == filename)
    }

    @Test(
        "The type is in lower case, and it may be missing",
        arguments: [
            ("Attachment; filename=a", "attachment"), ("inline", "inline"), ("", nil),
            ("filename=a", nil), ("; filename=a", nil),
        ] as [(String, String?)]
    )
    func type(value: String, type: String?) {
        #expect(ContentDisposition(value).type == type)
    }
}
