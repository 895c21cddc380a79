import Testing

@testable import RunLoopNetworking

@Suite("Announced length of a body", .timeLimit(.minutes(1)))
struct HeaderBlockFramingTests {
    @Test(
        "A length in digits is announced, said once or more than once",
        arguments: [
            (["Content-Length:13"], 13),
            (["Content-Length: 0"], 0),
            (["content-length:  5  "], 5),
            (["Content-Length: 5, 5"], 5),
            (["Content-Length: 5", "CONTENT-LENGTH: 5"], 5),
            (["Content-Length: 5 ,\t05"], 5),
            (["Content-Length: 9223372036854775807"], .max),
            (["Content-Length: 00000000000000000000000000042"], 42),
        ] as [([String], Int64)]
    )
    func goodLengths(lines: [String], expected: Int64) throws {
        let block = try HeaderBlock(fieldLines: lines)
        #expect(try block.announcedLength() == expected)
        #expect(block.expectedContentLength(isDecoded: false) == expected)
    }

    // B010
    @Test(
        "A length that is no decimal number is an error, and nothing is expected",
        arguments: [
            "-1", "-9223372036854775808", "+5", "", "5 6", "0x10", "1e3", "5.0", "5,", ",5", "five",
            "9223372036854775808", "99999999999999999999999999", "٥", "5\u{A0}",
        ]
    )
    func badLengths(value: String) throws {
        let block = try HeaderBlock(fieldLines: ["Content-Length: " + value])
        let error = #expect(throws: HeaderError.self) { try block.announcedLength() }
        #expect(error?.code == .badContentLength)
        #expect(block.expectedContentLength(isDecoded: false) == -1)
    }

    @Test(
        "Two lengths that differ are an error, and nothing is expected",
        arguments: [["Content-Length: 5, 6"], ["Content-Length: 5", "content-length: 50"]]
    )
    func conflict(lines: [String]) throws {
        let block = try HeaderBlock(fieldLines: lines)
        let error = #expect(throws: HeaderError.self) { try block.announcedLength() }
        #expect(error?.code == .conflictingContentLengths)
        #expect(block.expectedContentLength(isDecoded: false) == -1)
    }

    // B012
    @Test(
        "A transfer coding overrides the length, whatever their order and even if it is bad",
        arguments: [
            ["Content-Length: 3", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: chunked", "Content-Length: 5000"],
            ["transfer-encoding: chunked", "Content-Length: -1"],
        ]
    )
    func chunked(lines: [String]) throws {
        let block = try HeaderBlock(fieldLines: lines)
        #expect(try block.announcedLength() == nil)
        #expect(block.expectedContentLength(isDecoded: false) == -1)
    }

    @Test("Without a length nothing is announced")
    func absent() throws {
        let block = try HeaderBlock(fieldLines: [])
        #expect(try block.announcedLength() == nil)
        #expect(block.expectedContentLength(isDecoded: false) == -1)
    }

    // B062
    @Test("A body that is decoded has an announced length and none to expect")
    func coded() throws {
        let block = try HeaderBlock(fieldLines: ["Content-Encoding: gzip", "Content-Length: 133"])
        #expect(try block.announcedLength() == 133)
        #expect(block.expectedContentLength(isDecoded: true) == -1)
        #expect(block.expectedContentLength(isDecoded: false) == 133)
    }

    @Test(
        "The names of codings stand in the order of their application, over all lines",
        arguments: [
            ([], []), (["gzip"], ["gzip"]), (["GZIP"], ["gzip"]), ([""], [""]),
            (["identity , gzip"], ["identity", "gzip"]),
            (["gzip", "br,zstd"], ["gzip", "br", "zstd"]),
        ] as [([String], [String])]
    )
    func codings(values: [String], names: [String]) throws {
        let block = try HeaderBlock(fieldLines: values.map { "Content-Encoding: " + $0 })
        #expect(block.contentCodings == names)
    }
}
