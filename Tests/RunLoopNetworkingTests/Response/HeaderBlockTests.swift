import Testing

@testable import RunLoopNetworking

@Suite("Head of a response", .timeLimit(.minutes(1)))
struct HeaderBlockTests {
    @Test(
        "A status line gives the version, the code and the reason",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", "HTTP/1.1", 200, "OK"),
            ("HTTP/1.1 404 Not Found\n", "HTTP/1.1", 404, "Not Found"),
            ("HTTP/1.0 200", "HTTP/1.0", 200, ""),
            ("HTTP/2 200 \r\n", "HTTP/2", 200, ""),
            ("HTTP/3 103\r\n", "HTTP/3", 103, ""),
            ("HTTP/1.1 299  two  words \r\n", "HTTP/1.1", 299, "two  words"),
            ("HTTP/1.1 999 Überraschung\r\n", "HTTP/1.1", 999, "Überraschung"),
        ]
    )
    func statusLine(line: String, version: String, code: Int, reason: String) throws {
        let block = try #require(HeaderBlock(statusLine: Array(line.utf8)))
        #expect(block.httpVersion == version)
        #expect(block.statusCode == code)
        #expect(block.reason == reason)
        #expect(!block.isComplete)
    }

    // B008, B020 (ICY), B022 (NUL in the status line)
    @Test(
        "What is no status line begins no block",
        arguments: [
            "", "\r\n", "SSH-2.0-OpenSSH_9.6\n", "xyz", "ICY 200 OK\r\n", "HTTP/1.1\r\n",
            "HTTP/1.1 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 +20 OK\r\n",
            "HTTP/1.1 099 OK\r\n", "HTTP/11.1 200 OK\r\n", "HTTP/ 200 OK\r\n",
            "http/1.1 200 OK\r\n",
            "HTTP/1.1 200 O\u{0}K\r\n", "HTTP/1.1\u{0} 200 OK\r\n", "HTTP/1.1 200 a\rb\r\n",
            " HTTP/1.1 200 OK\r\n", "\tHTTP/1.1 200 OK\r\n", "HTTP/1.1 ٢٠٠ OK\r\n",
        ]
    )
    func noStatusLine(line: String) {
        #expect(HeaderBlock(statusLine: Array(line.utf8)) == nil)
    }

    @Test("A status line greater than the bound of a head begins no block")
    func hugeStatusLine() {
        let reason = [UInt8](repeating: 0x61, count: HeaderBlock.maximumByteCount)
        #expect(HeaderBlock(statusLine: Array("HTTP/1.1 200 ".utf8) + reason) == nil)
    }

    // B003, B020 (lone LF)
    @Test("Line ends and blanks around a value do not matter", arguments: ["\r\n", "\n", ""])
    func blanksAndLineEnds(lineEnd: String) throws {
        let block = try HeaderBlock(
            fieldLines: [
                "Content-Type:text/plain", "X-Wide: \t v w\t ", "X-Empty:", "X-Blank:  ",
                "X-Colon: a:b",
            ],
            lineEnd: lineEnd
        )
        #expect(
            block.fields == [
                HeaderField(name: "Content-Type", value: "text/plain"),
                HeaderField(name: "X-Wide", value: "v w"),
                HeaderField(name: "X-Empty", value: ""),
                HeaderField(name: "X-Blank", value: ""),
                HeaderField(name: "X-Colon", value: "a:b"),
            ]
        )
        #expect(block.isComplete)
    }

    @Test("Blanks before the colon are no part of the name")
    func blanksBeforeColon() throws {
        let block = try HeaderBlock(fieldLines: ["ETag \t: x"])
        #expect(block.fields == [HeaderField(name: "ETag", value: "x")])
    }

    // B007
    @Test("A folded value is one value with a space at each fold")
    func folds() throws {
        let block = try HeaderBlock(fieldLines: [
            "X-Long: part one", " part two", "\tpart three  ", "Content-Length: 2",
            "X-Late:", "   first", " \t ", " second",
        ])
        #expect(block.value(for: "X-Long") == "part one part two part three")
        #expect(block.value(for: "Content-Length") == "2")
        #expect(block.value(for: "X-Late") == "first second")
    }

    // B029 (the other fields survive bytes that are no UTF-8)
    @Test("Each value is decoded for itself, as UTF-8 or as Latin-1")
    func encodings() throws {
        let block = try HeaderBlock(lines: [
            Array("HTTP/1.1 200 OK\r\n".utf8),
            Array("X-Modern: 中文\r\n".utf8),
            Array("X-Old: caf".utf8) + [0xE9, 0x0D, 0x0A],
            Array("X-Odd: ".utf8) + [0xFF, 0x0D, 0x0A],
            Array("\r\n".utf8),
        ])
        #expect(block.value(for: "X-Modern") == "中文")
        #expect(block.value(for: "X-Old") == "café")
        #expect(block.value(for: "X-Odd") == "\u{FF}")
    }

    // B022 and others
    @Test(
        "A line that is no field is refused",
        arguments: [
            ("X-Bad: a\u{0}b", .controlByte), ("X-\u{0}Bad: a", .controlByte),
            ("X-Bad: a\rb", .controlByte), ("X-Bad: a\u{7F}", .controlByte),
            ("X-Bad: a\u{1}", .controlByte), ("X\tBad: a", .controlByte),
            ("\u{0}", .controlByte), ("no colon", .missingColon), (": v", .emptyName),
            (" fold", .foldWithoutField), ("\tX: fold", .foldWithoutField),
            (" ", .foldWithoutField),
            ("X-Bad: a\r", .controlByte),
        ] as [(String, HeaderError.Code)]
    )
    func badLines(line: String, code: HeaderError.Code) throws {
        let error = #expect(throws: HeaderError.self) { try HeaderBlock(fieldLines: [line]) }
        #expect(error?.code == code)
        #expect(error?.description.hasSuffix(".") == true)
    }

    @Test("A fold with a NUL is refused like any other line")
    func badFold() {
        let error = #expect(throws: HeaderError.self) {
            try HeaderBlock(fieldLines: ["X: a", " b\u{0}"])
        }
        #expect(error?.code == .controlByte)
    }

    @Test("A tab inside a value is kept")
    func tabInValue() throws {
        #expect(try HeaderBlock(fieldLines: ["X: a\tb"]).value(for: "X") == "a\tb")
    }

    @Test("After the empty line no field is taken")
    func lineAfterEnd() throws {
        var block = try HeaderBlock(fieldLines: ["X: a"])
        let error = #expect(throws: HeaderError.self) {
            try block.append(line: Array("Trailer: b\r\n".utf8))
        }
        #expect(error?.code == .lineAfterEnd)
        #expect(block.fields.count == 1)
    }

    @Test("A line may come as any collection of bytes")
    func anyCollection() throws {
        let bytes = Array("HTTP/1.1 204 No Content\r\nX: a\r\n".utf8)
        var block = try #require(HeaderBlock(statusLine: bytes[..<25]))
        try block.append(line: bytes[25...])
        #expect(block.fields == [HeaderField(name: "X", value: "a")])
    }
}

@Suite("Bounds of a head", .timeLimit(.minutes(1)))
struct HeaderBlockBoundsTests {
    @Test("A thousand fields are taken and one more is refused")
    func fieldCount() throws {
        let lines = (0..<HeaderBlock.maximumFieldCount).map { "X-\($0): v" }
        let block = try HeaderBlock(fieldLines: lines)
        #expect(block.fields.count == 1_000)
        let error = #expect(throws: HeaderError.self) {
            try HeaderBlock(fieldLines: lines + ["X: v"])
        }
        #expect(error?.code == .tooManyFields)
    }

    @Test("The head may have 256 KiB to the byte, folds and line ends included")
    func byteCount() throws {
        let statusLine = Array("HTTP/1.1 200 OK\r\n".utf8)
        let fold = [UInt8](repeating: 0x61, count: 1_022)
        var block = try HeaderBlock(lines: [statusLine, Array("X: a\r\n".utf8)])
        var room = HeaderBlock.maximumByteCount - statusLine.count - 6
        while room >= 1_024 {
            try block.append(line: [0x20] + fold + [0x0A])
            room -= 1_024
        }
        try block.append(line: [0x20] + [UInt8](repeating: 0x61, count: room - 1))
        var tooLong = block
        let error = #expect(throws: HeaderError.self) { try tooLong.append(line: [0x0A]) }
        #expect(error?.code == .tooLarge)
    }
}
