import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: header fields", .timeLimit(.minutes(1)))
struct HeaderFieldTests {
    // B003
    @Test("Fields without a blank behind their colon count like others")
    func b003NoBlankAfterTheColon() async throws {
        try await withBench { bench in
            let text =
                "HTTP/1.1 200 OK\r\nContent-Type:text/plain\r\nContent-Length:13\r\nX-Tight:v\r\n\r\n"
            let delegate = try await bench.load([.send(text + "Hello, world!"), .finish])
            #expect(delegate.transcript == [.response(200), .data(13), .finished])
            let response = try #require(delegate.response)
            #expect(response.mimeType == "text/plain")
            #expect(response.expectedContentLength == 13)
            #expect(response.value(forHTTPHeaderField: "X-Tight") == "v")
            #expect(response.allHeaderFields.count == 3)
        }
    }

    // B005
    @Test("A field that comes twice has both values, in order, whatever its letter case")
    func b005FieldsComeTwice() async throws {
        try await withBench { bench in
            let text =
                "HTTP/1.1 200 OK\r\nX-Tag: one\r\nContent-Length: 2\r\nx-tag: two\r\n"
                + "Cache-Control: no-cache\r\nCache-Control: no-store\r\n\r\nok"
            let delegate = try await bench.load([.send(text), .hold])
            #expect(delegate.transcript == [.response(200), .data(2), .finished])
            let response = try #require(delegate.response)
            #expect(response.value(forHTTPHeaderField: "X-Tag") == "one, two")
            #expect(response.value(forHTTPHeaderField: "Cache-Control") == "no-cache, no-store")
            let names = response.allHeaderFields.keys.map { "\($0)".lowercased() }
            #expect(names.sorted() == ["cache-control", "content-length", "x-tag"])
        }
    }

    // B007
    @Test("A folded field is one value, and those behind it count")
    func b007FoldedField() async throws {
        try await withBench { bench in
            let text =
                "HTTP/1.1 200 OK\r\nX-Long: part one\r\n part two\r\n\tpart three\r\n"
                + "Content-Length: 2\r\n\r\nok"
            let delegate = try await bench.load([.send(text), .hold])
            #expect(delegate.transcript == [.response(200), .data(2), .finished])
            let value = delegate.response?.value(forHTTPHeaderField: "X-Long")
            #expect(value == "part one part two part three")
            #expect(delegate.response?.expectedContentLength == 2)
        }
    }

    // B020
    @Test("Lines may end in LF alone")
    func b020LoneLineFeeds() async throws {
        try await withBench { bench in
            let text = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"
            let delegate = try await bench.load([.send(text), .hold])
            #expect(delegate.transcript == [.response(200), .data(2), .finished])
            #expect(delegate.body == Data("ok".utf8))
        }
    }

    // B020
    @Test("ICY is not HTTP, and none of its bytes are a body")
    func b020Icy() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .waitForRequest, .send("ICY 200 OK\r\nicy-name: x\r\n\r\n"), .sendPattern(1 << 30),
            ])
            let delegate = try await bench.load(server.request("/f"))
            #expect(delegate.transcript == [.failed(.cannotParseResponse)])
            try await server.closedByClient(connections: 1)
        }
    }

    /// Arguments are printed, and control bytes would break the line.
    private static func withControls(_ text: String) -> String {
        text.replacingOccurrences(of: "{NUL}", with: "\0")
            .replacingOccurrences(of: "{SOH}", with: "\u{1}")
    }

    // B022
    @Test(
        "A NUL makes a response that can't be read, wherever it stands",
        arguments: [
            "HTTP/1.1 200 OK\r\nX-Bad: a{NUL}b\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 O{NUL}K\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nX-{NUL}Bad: ab\r\nContent-Length: 2\r\n\r\nok",
        ]
    )
    func b022NulInTheHead(text: String) async throws {
        try await withBench { bench in
            let delegate = try await bench.load([.send(Self.withControls(text)), .hold])
            let code = try #require(delegate.urlError?.code)
            #expect([.cannotParseResponse, .badServerResponse].contains(code))
            #expect(delegate.transcript == [.failed(code)])
        }
    }

    // B022
    @Test(
        "A NUL in a trailer makes a failure",
        arguments: ["X-Sum: a{NUL}b", "X-{NUL}Sum: ab", "{NUL}", "X-Sum: a{SOH}b"]
    )
    func b022NulInTrailers(trailer: String) async throws {
        try await withBench { bench in
            let text =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ndata\r\n0\r\n"
                + "\(Self.withControls(trailer))\r\n\r\n"
            let delegate = try await bench.load([.send(text), .hold])
            #expect(
                delegate.transcript == [.response(200), .data(4), .failed(.cannotParseResponse)]
            )
        }
    }
}
