import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: chunks and transfer codings", .timeLimit(.minutes(1)))
struct TransferCodingTests {
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    // B012
    @Test(
        "Chunks override a Content-Length, and the network connection is not used again",
        arguments: [
            "Content-Length: 3\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 3",
            "Content-Length: 5000\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 5000",
        ]
    )
    func b012LengthAndChunks(fields: String) async throws {
        try await withBench { bench in
            let text = "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nb\r\nhello world\r\n0\r\n\r\n"
            let server = try bench.serve([.forever([.waitForRequest, .send(text)])])
            for count in 1...2 {
                let delegate = try await bench.load(server.request("/f"))
                #expect(delegate.transcript == [.response(200), .data(11), .finished])
                #expect(delegate.body == Data("hello world".utf8))
                #expect(delegate.response?.expectedContentLength == -1)
                #expect(server.connectionCount == count)
            }
        }
    }

    // B015
    @Test(
        "Trailers are neither body nor fields of the response, paused or not",
        arguments: [false, true]
    )
    func b015TrailersAreKeptApart(isPaused: Bool) async throws {
        try await withBench { bench in
            let goOn = Gate()
            let heard = Gate()
            let head =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n4\r\ndata\r\n"
            let end = "0\r\nX-Sum: abc123\r\nContent-Type: application/evil\r\n\r\n"
            let server = try bench.serve([
                .waitForRequest, .send(head), .waitFor(heard), .send(end), .hold,
            ])
            let delegate = RecordingDelegate { message, _ in
                guard message == .data(4) else { return }
                heard.open()
                if isPaused { try? goOn.wait() }
            }
            bench.loop.connectionSettings.waitingBytes = 1
            bench.start(server.request("/f"), delegate)
            try await heard.opened()
            try await bench.turnLoop()
            goOn.open()
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(4), .finished])
            #expect(delegate.body == Data("data".utf8))
            #expect(delegate.response?.mimeType == nil)
            #expect(delegate.response?.value(forHTTPHeaderField: "Content-Type") == nil)
            #expect(delegate.response?.value(forHTTPHeaderField: "X-Sum") == nil)
        }
    }

    // B018
    @Test("Sizes of chunks may have leading zeros, extensions and trailing blanks")
    func b018OddChunkSizes() async throws {
        try await withBench { bench in
            let chunks =
                "0A;name=\"x;y\"\r\n0123456789\r\na  \r\nabcdefghij\r\n000\r\n\r\n"
            let delegate = try await bench.load([.send(Self.chunked + chunks), .hold])
            #expect(delegate.transcript == [.response(200), .data(20), .finished])
            #expect(delegate.body == Data("0123456789abcdefghij".utf8))
        }
    }

    // B018
    @Test(
        "Sizes of chunks that are none make a failure, and no more than was framed is told",
        arguments: [
            ("zz\r\nHELLO\r\n0\r\n\r\n", 0), ("FFFFFFFFFFFFFFFFF\r\nHELLO\r\n0\r\n\r\n", 0),
            ("\r\nHELLO\r\n0\r\n\r\n", 0), ("5\r\nHELLO6\r\n WORLD\r\n0\r\n\r\n", 5),
            ("-5\r\nHELLO\r\n0\r\n\r\n", 0), ("0x5\r\nHELLO\r\n0\r\n\r\n", 0),
        ]
    )
    func b018BadChunkSizes(chunks: String, framed: Int) async throws {
        try await withBench { bench in
            let delegate = try await bench.load([.send(Self.chunked + chunks), .hold])
            #expect(delegate.transcript.first == .response(200))
            #expect(delegate.urlError != nil)
            #expect(delegate.body.count <= framed)
        }
    }

    // B018: the size may also be read as 5, and is.
    @Test("A size with a second number behind a blank is not read as both together")
    func b018SizeWithBlank() async throws {
        try await withBench { bench in
            let delegate = try await bench.load([
                .send(Self.chunked + "5 0\r\nHELLO\r\n0\r\n\r\n"), .hold,
            ])
            #expect(delegate.transcript == [.response(200), .data(5), .finished])
            #expect(delegate.body == Data("HELLO".utf8))
        }
    }

    /// `hello`, as gzip.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
    ]

    // B025
    @Test("The letter case of chunked does not matter")
    func b025LetterCase() async throws {
        try await withBench { bench in
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
            let delegate = try await bench.load([
                .send(head + "5\r\nhello\r\n0\r\n\r\n"), .hold,
            ])
            #expect(delegate.transcript == [.response(200), .data(5), .finished])
            #expect(delegate.body == Data("hello".utf8))
        }
    }

    // B025
    @Test(
        "A list of transfer codings gives the decoded body or a failure, and never its frames",
        arguments: ["gzip, chunked", "identity, chunked", "chunked, identity", "xchunked"]
    )
    func b025ListsOfCodings(codings: String) async throws {
        try await withBench { bench in
            let body = codings.hasPrefix("gzip") ? Self.gzip : Array("hello".utf8)
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n"
            let size = String(body.count, radix: 16)
            let delegate = try await bench.load([
                .send(Array("\(head)\(size)\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)),
                .finish,
            ])
            if delegate.transcript.last == .finished {
                #expect(delegate.body == Data("hello".utf8))
                #expect(codings != "xchunked")
            } else {
                #expect(delegate.body.isEmpty || delegate.body == Data("hello".utf8))
                #expect(delegate.urlError != nil)
            }
        }
    }
}
