import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bounds of a response's head", .timeLimit(.minutes(1)))
struct ResponseBoundTests {
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func fail(
        _ steps: [ScriptStep],
        heard: [TranscriptMessage],
        codes: [URLError.Code] = [.cannotParseResponse]
    ) async throws {
        let server = try ScriptedServer([.waitForRequest] + steps)
        let delegate = try await load(server.request())
        let code = try #require(delegate.urlError?.code)
        #expect(codes.contains(code))
        #expect(delegate.transcript == heard + [.failed(code)])
        #expect(delegate.faults.isEmpty)
        try await server.closedByClient(connections: 1)
    }

    private static func lengthen(_ text: String) -> String {
        text.replacingOccurrences(of: "{LONG}", with: String(repeating: "x", count: 1_000))
    }

    @Test(
        "A head without end is given up: long fields, short fields, one field, folds, its first line",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", "X-Long: xxx{LONG}\r\n"),
            ("HTTP/1.1 200 OK\r\n", "a:\r\n"),
            ("HTTP/1.1 200 OK\r\nX-Long: ", "xxx{LONG}"),
            ("HTTP/1.1 200 OK\r\nX-Long: a\r\n", " folded\r\n"),
            ("HTTP/1.1 200 ", "xxx{LONG}"),
        ]
    )
    func endlessHead(begin: String, rest: String) async throws {
        try await fail([.send(begin), .forever([.send(Self.lengthen(rest))])], heard: [])
    }

    @Test(
        "Interim responses without end are given up",
        arguments: [
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
        ]
    )
    func endlessInterim(head: String) async throws {
        try await fail([.forever([.send(head)])], heard: [])
    }

    @Test("A hundred interim responses are not too many")
    func manyInterim() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .again(times: 100, [.send("HTTP/1.1 103 Early Hints\r\n\r\n")]),
            .respond(200, body: "abc"),
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
    }

    @Test(
        "Trailers without end are given up: long, short, and one",
        arguments: [
            ("", "X-Long: xxx{LONG}\r\n"), ("", "a:\r\n"), ("X-Long: ", "xxx{LONG}"),
        ]
    )
    func endlessTrailers(begin: String, rest: String) async throws {
        try await fail(
            [
                .send(Self.chunked + "4\r\ndata\r\n0\r\n" + begin),
                .forever([.send(Self.lengthen(rest))]),
            ],
            heard: [.response(200), .data(4)],
            // libcurl's code for a trailer that it can't keep is the one of a lost connection.
            codes: [.cannotParseResponse, .networkConnectionLost]
        )
    }

    @Test(
        "HTTP/0.9 is refused",
        arguments: ["just text", "<html>\r\n\r\n</html>", "HTTP 200\r\n\r\n"]
    )
    func noStatusLine(text: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .send(text), .finish])
        let delegate = try await load(server.request())
        let code = try #require(delegate.urlError?.code)
        #expect([.cannotParseResponse, .badServerResponse].contains(code))
        #expect(delegate.transcript == [.failed(code)])
    }
}
