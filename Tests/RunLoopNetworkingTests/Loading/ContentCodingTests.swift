import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Content coding", .timeLimit(.minutes(1)))
struct ContentCodingTests {
    private static let gzipHello: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
    ]
    private static let deflateHello: [UInt8] = [
        120, 156, 203, 72, 205, 201, 201, 7, 0, 6, 44, 2, 21,
    ]

    /// A hundred thousand times the letter A.
    private static let gzipMany: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 108, 235, 95]
        + [202, 26, 30, 64, 1] + [UInt8](repeating: 0, count: 96)
        + [175, 6, 215, 159, 138, 5, 160, 134, 1, 0]

    private static let bareHello: [UInt8] = [203, 72, 205, 201, 201, 7, 0]
    private static let brotliHello: [UInt8] = [11, 2, 128, 104, 101, 108, 108, 111, 3]
    private static let zstdHello: [UInt8] = [
        40, 181, 47, 253, 36, 5, 41, 0, 0, 104, 101, 108, 108, 111, 163, 109, 159, 136,
    ]

    private func server(
        _ coding: String,
        _ body: [UInt8],
        isBytewise: Bool = false
    ) throws -> ScriptedServer {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        return try ScriptedServer([
            .waitForRequest, .send(head), isBytewise ? .sendBytewise(body) : .send(body), .hold,
        ])
    }

    @Test(
        "A coded body is decoded, and its length is unknown",
        arguments: [
            ("gzip", gzipHello), ("X-Gzip", gzipHello), ("deflate", deflateHello),
            ("deflate", bareHello), ("br", brotliHello), ("zstd", zstdHello),
            ("identity, gzip", gzipHello), ("gzip, br", [11, 12, 128] + gzipHello + [3]),
            ("gzip\r\nContent-Encoding: br", [11, 12, 128] + gzipHello + [3]),
        ],
        [false, true]
    )
    func decoded(coded: (String, [UInt8]), isBytewise: Bool) async throws {
        let server = try server(coded.0, coded.1, isBytewise: isBytewise)
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .data(5), .finished])
        #expect(delegate.body == Data("hello".utf8))
        #expect(delegate.response?.expectedContentLength == -1)
        let asked = try #require(server.requests.first?["Accept-Encoding"])
        #expect(asked == "gzip, deflate")
    }

    // B062
    @Test(
        "A body that grows when it is decoded arrives whole, also through a small mailbox",
        arguments: [1 << 20, 1_000]
    )
    func grows(waitingBytes: Int) async throws {
        let server = try server("gzip", Self.gzipMany)
        let loop = TestLoop()
        loop.loop.connectionSettings.waitingBytes = waitingBytes
        let delegate = try await load(server.request(), loop: loop.loop)
        #expect(delegate.transcript == [.response(200), .data(100_000), .finished])
        #expect(delegate.body == Data(repeating: 65, count: 100_000))
        #expect(delegate.response?.expectedContentLength == -1)
    }

    @Test("A body that can't be decoded fails the load")
    func broken() async throws {
        var body = Self.gzipHello
        body[12] ^= 0xFF
        let server = try server("gzip", body)
        let delegate = try await load(server.request())
        #expect(delegate.transcript.last == .failed(.cannotDecodeContentData))
    }

    // B068
    @Test(
        "A body whose coding is not known is delivered as it came, with its length",
        arguments: ["UTF-8", "gzip, UTF-8", "compress", "identity", ""]
    )
    func unknown(coding: String) async throws {
        let server = try server(coding, Array("hello".utf8))
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .data(5), .finished])
        #expect(delegate.body == Data("hello".utf8))
        #expect(delegate.response?.expectedContentLength == 5)
        let field = delegate.response?.value(forHTTPHeaderField: "Content-Encoding")
        #expect(field ?? "" == coding)
    }

    @Test("A body that is not coded although it says so fails the load", arguments: ["gzip", "br"])
    func lying(coding: String) async throws {
        let server = try server(coding, Array("not coded at all".utf8))
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .failed(.cannotDecodeContentData)])
        #expect(
            delegate.urlError?.localizedDescription.contains("no sound \(coding) stream") == true
        )
    }

    @Test("What a redirect carries is not decoded, and what it leads to is")
    func redirect() async throws {
        let redirect =
            "HTTP/1.1 302 X\r\nLocation: /r\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone"
        let answer =
            "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 9\r\n\r\n"
        let server = try ScriptedServer([
            .waitForRequest, .send(redirect), .waitForRequest, .send(answer),
            .send(Self.brotliHello), .hold,
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .data(5), .finished])
        #expect(delegate.body == Data("hello".utf8))
        #expect(
            server.requests.map { $0["Accept-Encoding"] } == ["gzip, deflate", "gzip, deflate"]
        )
    }

    @Test("What comes for a range is delivered as it came, whatever its coding")
    func codedRange() async throws {
        let server = try server("gzip", Self.gzipHello)
        let delegate = try await load(server.request(fields: ["Range": "bytes=0-24"]))
        #expect(delegate.transcript == [.response(200), .data(25), .finished])
        #expect(delegate.body == Data(Self.gzipHello))
        #expect(delegate.response?.expectedContentLength == 25)
    }

    @Test("A request for a range does not ask for a coding")
    func range() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(206, body: "abc")])
        try await load(server.request(fields: ["Range": "bytes=0-2"]))
        let request = try #require(server.requests.first)
        #expect(request["Range"] == "bytes=0-2")
        #expect(request["Accept-Encoding"] == nil)
    }
}
