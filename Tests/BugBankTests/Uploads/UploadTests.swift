import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: uploads", .timeLimit(.minutes(1)))
struct UploadTests {
    private static let ok: [TranscriptMessage] = [.response(200), .data(2), .finished]

    // B121
    @Test(
        "A method that has a body says its length even if it has none, others say nothing",
        arguments: [
            ("POST", nil, "0"), ("POST", "", "0"), ("PUT", nil, "0"), ("PUT", "", "0"),
            ("DELETE", nil, nil), ("GET", nil, nil),
        ] as [(String, String?, String?)]
    )
    func b121NoBody(method: String, body: String?, length: String?) async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, .respond(200, body: "ok")])
            var request = server.request("/f", method: method)
            request.httpBody = body.map { Data($0.utf8) }
            let delegate = try await bench.load(request)
            #expect(delegate.transcript == Self.ok)
            let received = try #require(server.requests.first)
            #expect(received.values(for: "Content-Length") == (length.map { [$0] } ?? []))
            #expect(received["Transfer-Encoding"] == nil)
            #expect(received["Expect"] == nil)
        }
    }

    // B123
    @Test("A large body goes out without asking first", arguments: [false, true])
    func b123NoExpectation(isStream: Bool) async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, .respond(200, body: "ok")])
            let body = CounterPattern.bytes(count: 2 << 20)
            var request = server.request("/f", method: "POST")
            if isStream {
                request.httpBodyStream = InputStream(data: Data(body))
            } else {
                request.httpBody = Data(body)
            }
            let delegate = try await bench.load(request)
            #expect(delegate.transcript == Self.ok)
            let received = try #require(server.requests.first)
            #expect(received["Expect"] == nil)
            #expect(received.body == body)
        }
    }

    // B123: nobody asked, and so it is an answer like any other.
    @Test("A 417 is delivered once, and the request is not repeated")
    func b123Refused() async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, .respond(417, body: "no")])
            var request = server.request("/f", method: "POST")
            request.httpBody = Data(count: 2 << 20)
            request.setValue("100-continue", forHTTPHeaderField: "Expect")
            let delegate = try await bench.load(request)
            #expect(delegate.transcript == [.response(417), .data(2), .finished])
            #expect(server.requests.count == 1)
            #expect(server.requests.first?["Expect"] == nil)
        }
    }

    // B123
    @Test("Interim answers that nobody asked for change nothing", arguments: [1, 2])
    func b123Continue(count: Int) async throws {
        try await withBench { bench in
            let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: count)
            let server = try bench.serve([
                .waitForHead, .send(interim), .take(2 << 20), .respond(200, body: "ok"),
            ])
            var request = server.request("/f", method: "POST")
            request.httpBody = Data(count: 2 << 20)
            let delegate = try await bench.load(request)
            #expect(delegate.transcript == Self.ok)
        }
    }

    // B124
    @Test("A refusal in the middle of the body is delivered, and the sending stops")
    func b124Refusal() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .waitForHead, .take(65_536),
                .send("HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 7\r\n\r\ntoo big"),
                .halfClose, .hold,
            ])
            var request = server.request("/f", method: "POST")
            request.httpBody = Data(count: 20 << 20)
            let delegate = RecordingDelegate(keepsSentBody: true)
            try await bench.load(request, delegate)
            #expect(delegate.transcript.suffix(3) == [.response(413), .data(7), .finished])
            #expect(!delegate.messages.contains { $0.message == .sentBody(20 << 20) })
            try await server.closedByClient(connections: 1)
        }
    }

    // B124: whether the refusal comes through is the kernels' affair; that there is an end is ours.
    @Test("A refusal with a reset behind it is one end, and no second request")
    func b124Reset() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .waitForHead, .take(65_536),
                .send("HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 7\r\n\r\ntoo big"),
                .reset,
            ])
            var request = server.request("/f", method: "POST")
            request.httpBody = Data(count: 20 << 20)
            let delegate = try await bench.load(request)
            let isDelivered = delegate.transcript == [.response(413), .data(7), .finished]
            #expect(isDelivered || delegate.transcript.last == .failed(.networkConnectionLost))
            #expect(server.connectionCount == 1)
        }
    }

    // B126
    @Test(
        "What the caller sets in a header never becomes a line of its own",
        arguments: [
            ("X-A", "a\r\nInjected: 1"), ("X-A", "a\nInjected: 1"), ("X-A", "a\rInjected: 1"),
            ("X-A", "a\0Injected: 1"), ("X A", "1"), ("X-A: 1\r\nInjected", "1"), ("X:A", "1"),
        ]
    )
    func b126Split(name: String, value: String) async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, .respond(200, body: "ok")])
            var request = server.request("/f")
            request.allHTTPHeaderFields = [name: value]
            let delegate = try await bench.load(request)
            #expect(delegate.transcript == [.failed(.badURL)])
            #expect(server.connectionCount == 0)
        }
    }

    // B126
    @Test(
        "Other values go out as they were set",
        arguments: [("  a  ", "a"), ("é", "é"), ("", "")]
    )
    func b126Values(value: String, received: String) async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, .respond(200, body: "ok")])
            var request = server.request("/f")
            request.allHTTPHeaderFields = ["X-A": value]
            let delegate = try await bench.load(request)
            #expect(delegate.transcript == Self.ok)
            #expect(server.requests.first?["X-A"] == received)
        }
    }
}
