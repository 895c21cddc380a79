import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Framing of bodies", .timeLimit(.minutes(1)))
struct FramingTests {
    private static let hello = "HELLO WORLD"

    private struct Body: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var ends = false
        var expectedLength: Int64 = -1
    }

    private static let bodies = [
        Body(
            testDescription: "Content-Length",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nHELLO WORLD",
            expectedLength: 11
        ),
        Body(
            testDescription: "chunked",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "5;x=\"y;z\"\r\nHELLO\r\n06\r\n WORLD\r\n000\r\n\r\n"
        ),
        Body(
            testDescription: "chunked with trailers",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "b\r\nHELLO WORLD\r\n0\r\nX-Sum: 1\r\nContent-Type: application/evil\r\n\r\n"
        ),
        Body(
            testDescription: "Content-Length and chunked",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "b\r\nHELLO WORLD\r\n0\r\n\r\n"
        ),
        Body(
            testDescription: "until the connection ends",
            text: "HTTP/1.1 200 OK\r\n\r\nHELLO WORLD",
            ends: true
        ),
        Body(
            testDescription: "HTTP/1.0",
            text: "HTTP/1.0 200 OK\r\n\r\nHELLO WORLD",
            ends: true
        ),
        Body(
            testDescription: "lines that end in LF",
            text: "HTTP/1.1 200 OK\nContent-Length: 11\n\nHELLO WORLD",
            expectedLength: 11
        ),
        Body(
            testDescription: "tight and folded fields",
            text: "HTTP/1.1 200 OK\r\nX-Long: one\r\n two\r\nContent-Length:11\r\n\r\nHELLO WORLD",
            expectedLength: 11
        ),
        Body(
            testDescription: "the same length twice",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 11\r\nContent-Length: 11\r\n\r\nHELLO WORLD",
            expectedLength: 11
        ),
    ]

    @Test("A body arrives whole, sent at once and byte by byte", arguments: bodies, [false, true])
    private func whole(body: Body, isBytewise: Bool) async throws {
        let send = isBytewise ? ScriptStep.sendBytewise(body.text) : .send(body.text)
        let server = try ScriptedServer([.waitForRequest, send, body.ends ? .finish : .hold])
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .data(11), .finished])
        #expect(String(decoding: delegate.body, as: UTF8.self) == Self.hello)
        #expect(delegate.faults.isEmpty)
        #expect(delegate.response?.expectedContentLength == body.expectedLength)
        #expect(delegate.response?.value(forHTTPHeaderField: "X-Sum") == nil)
        #expect(delegate.response?.mimeType == nil)
    }

    @Test(
        "An empty body makes no data message",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ]
    )
    func empty(answer: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .send(answer), .hold])
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .finished])
    }

    @Test("Many bytes arrive in order")
    func order() async throws {
        let size = 5_000_000
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\n\r\n"), .sendPattern(size), .finish,
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .data(size), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
    }

    @Test("A network connection is used again as often as the server lets it")
    func reuse() async throws {
        let server = try ScriptedServer(
            [.again(times: 5, [.waitForRequest, .respond(200, body: "abc")]), .finish],
            [.forever([.waitForRequest, .respond(200, body: "def")])]
        )
        // Its own loop: on the shared one others' network connections push idle ones out.
        let loop = TestLoop()
        for _ in 0..<10 {
            let delegate = try await load(server.request(), loop: loop.loop)
            #expect(delegate.transcript == [.response(200), .data(3), .finished])
        }
        #expect(server.connectionCount == 2)
    }
}
