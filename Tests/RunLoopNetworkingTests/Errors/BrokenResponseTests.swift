import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Broken responses", .timeLimit(.minutes(1)))
struct BrokenResponseTests {
    private func check(
        _ steps: [ScriptStep],
        _ transcript: [TranscriptMessage],
        curl: Int?
    ) async throws {
        let server = try ScriptedServer([.waitForRequest] + steps)
        let delegate = try await load(server.request("/f"))
        #expect(delegate.transcript == transcript)
        #expect(delegate.faults.isEmpty)
        let error = try #require(delegate.urlError)
        #expect(error.failingURL == server.url("/f"))
        #expect(!error.localizedDescription.isEmpty)
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.code == curl)
    }

    // B001, B002, B013
    @Test(
        "A body that ends too early is delivered as far as it came, and fails",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCD", 4),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHELLO\r\n", 5),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHEL", 3),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHELLO\r\n0\r\n", 5),
        ]
    )
    func short(text: String, count: Int) async throws {
        let lost: [TranscriptMessage] = [
            .response(200), .data(count), .failed(.networkConnectionLost),
        ]
        try await check([.send(text), .finish], lost, curl: 18)
    }

    // B001, B013
    @Test(
        "A body that is cut by a reset fails, whatever ends it",
        arguments: ["Content-Length: 10", "Transfer-Encoding: chunked", "Connection: close"]
    )
    func reset(field: String) async throws {
        let responded = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n4\r\nABCD"),
            .waitFor(responded), .reset,
        ])
        let delegate = RecordingDelegate { message, _ in
            if case .data = message { responded.open() }
        }
        try await load(server.request(), delegate)
        #expect(delegate.transcript.first == .response(200))
        #expect(delegate.transcript.last == .failed(.networkConnectionLost))
        let underlying = delegate.urlError?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.code == 56)
    }

    @Test("A body of which nothing came is an empty resource")
    func nothingOfIt() async throws {
        try await check(
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .finish],
            [.response(200), .failed(.zeroByteResource)],
            curl: 18
        )
    }

    @Test("A chunked body of which nothing came is a lost connection")
    func noChunk() async throws {
        try await check(
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .finish],
            [.response(200), .failed(.networkConnectionLost)],
            curl: 18
        )
    }

    @Test("No reply at all is a lost connection")
    func empty() async throws {
        try await check([.finish], [.failed(.networkConnectionLost)], curl: 52)
        try await check([.reset], [.failed(.networkConnectionLost)], curl: 56)
    }

    @Test("A head that is cut fails")
    func cutHead() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Le"), .finish,
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript.count == 1)
        #expect(delegate.faults.isEmpty)
        #expect(delegate.urlError?.code == .networkConnectionLost)
    }

    // B008, B020
    @Test(
        "A server that does not speak HTTP makes no response",
        arguments: [
            "SSH-2.0-OpenSSH_9.6\n", "xyz", "ICY 200 OK\r\nicy-name: x\r\n\r\naudio",
            String(repeating: "\0", count: 100_000), "220 ftp.example ready\r\n",
        ]
    )
    func garbage(text: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .send(text), .finish])
        let delegate = try await load(server.request())
        let codes: [URLError.Code] = [
            .cannotParseResponse, .badServerResponse, .networkConnectionLost,
        ]
        #expect(delegate.transcript.count == 1)
        #expect(delegate.urlError.map { codes.contains($0.code) } == true)
    }

    // B010
    @Test(
        "A length that is none, or two lengths, make a bad response",
        arguments: [
            "Content-Length: -1", "Content-Length: 5x", "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length: 99999999999999999999", "Content-Length: 5, 6",
            "Content-Length: -9223372036854775808", "Content-Length: +5",
        ]
    )
    func badLength(fields: String) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nHELLO"), .finish,
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.failed(.badServerResponse)])
    }

    // B022
    @Test(
        "A control byte in the head makes a response that can't be read",
        arguments: [
            "HTTP/1.1 200 OK\r\nX-Bad: a\0b\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 O\0K\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nX-\u{1}Bad: a\r\nContent-Length: 2\r\n\r\nok",
        ]
    )
    func controlByte(text: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .send(text), .hold])
        let delegate = try await load(server.request())
        let codes: [URLError.Code] = [.cannotParseResponse, .badServerResponse]
        #expect(delegate.transcript.count == 1)
        #expect(delegate.urlError.map { codes.contains($0.code) } == true)
    }

    // B018
    @Test(
        "Chunks that are none fail, and no more than was framed is told",
        arguments: [
            "zz\r\nHELLO\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\nHELLO\r\n0\r\n\r\n",
            "\r\nHELLO\r\n0\r\n\r\n", "5\r\nHELLOx\r\n0\r\n\r\n",
        ]
    )
    func badChunks(chunks: String) async throws {
        let server = try ScriptedServer([
            .waitForRequest,
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"),
            .hold,
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript.first == .response(200))
        #expect(delegate.urlError != nil)
        #expect(delegate.body.count <= 5)
        #expect(delegate.faults.isEmpty)
    }

    // B025
    @Test("A transfer coding that is not known fails, and its bytes are not told as a body")
    func unknownTransferCoding() async throws {
        let server = try ScriptedServer([
            .waitForRequest,
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n5\r\nHELLO\r\n0\r\n\r\n"),
            .finish,
        ])
        let delegate = try await load(server.request())
        #expect(delegate.urlError != nil)
        #expect(delegate.body.isEmpty)
    }

    @Test("A head without end is given up")
    func endlessHead() async throws {
        let line = "X-Long: " + String(repeating: "x", count: 1_000) + "\r\n"
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\n"), .forever([.send(line)]),
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript.count == 1)
        #expect(delegate.urlError?.code == .cannotParseResponse)
        try await server.closedByClient(connections: 1)
    }
}
