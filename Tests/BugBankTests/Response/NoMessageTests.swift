import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: peers that do not speak HTTP, and lengths that are none", .timeLimit(.minutes(1)))
struct NoMessageTests {
    // B008: the first is told although the server goes on waiting.
    @Test(
        "A peer that is no HTTP server makes a failure and no response",
        arguments: [
            [.send("SSH-2.0-OpenSSH_9.6\n"), .hold],
            [.send("SSH-2.0-OpenSSH_9.6\n"), .finish],
            [.send("xyz"), .finish],
            [.send([UInt8](repeating: 0, count: 1 << 20)), .finish],
            [.finish],
            [.reset],
        ] as [[ScriptStep]]
    )
    func b008SpeaksSomethingElse(steps: [ScriptStep]) async throws {
        try await withBench { bench in
            let delegate = try await bench.load(steps)
            let code = try #require(delegate.urlError?.code)
            let codes: [URLError.Code] = [
                .badServerResponse, .cannotParseResponse, .networkConnectionLost,
            ]
            #expect(codes.contains(code))
            #expect(delegate.transcript == [.failed(code)])
        }
    }

    // B010, and what else is no length: too great to count with, two of them, no digits.
    @Test(
        "A length that is none, or two lengths, make a bad response",
        arguments: [
            "Content-Length: -1", "Content-Length: -9223372036854775808", "Content-Length: 5x",
            "Content-Length: 9223372036854775808", "Content-Length: 99999999999999999999",
            "Content-Length: +5", "Content-Length: 0x5", "Content-Length: 5 5",
            "Content-Length:", "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5, 6",
            "Content-Length: 6\r\nContent-Length: 5",
        ]
    )
    func b010LengthIsNone(fields: String) async throws {
        try await withBench { bench in
            let text = "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nHELLO"
            let delegate = try await bench.load([.send(text), .finish])
            #expect(delegate.transcript == [.failed(.badServerResponse)])
        }
    }

    // B010
    @Test("The greatest length that can be counted with is believed, and missed")
    func b010GreatestLength() async throws {
        try await withBench { bench in
            let text = "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nHELLO"
            let delegate = try await bench.load([.send(text), .finish])
            #expect(
                delegate.transcript
                    == [.response(200), .data(5), .failed(.networkConnectionLost)]
            )
            #expect(delegate.response?.expectedContentLength == .max)
        }
    }

    // B017
    @Test(
        "A response that can have no body ends with its head, whatever length it announces",
        arguments: [
            ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", 200),
            ("GET", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", 204),
            ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", 304),
        ]
    )
    func b017NoBodyIsWaitedFor(method: String, head: String, status: Int) async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, .send(head), .hold])
            let fields = status == 304 ? ["If-None-Match": "\"v1\""] : [:]
            let request = server.request("/f", method: method, fields: fields)
            let delegate = try await bench.load(request)
            #expect(delegate.transcript == [.response(status), .finished])
            #expect(server.requests.first?.method == method)
            if method == "HEAD" { #expect(delegate.response?.expectedContentLength == 1_000_000) }
            if status == 304 { #expect(server.requests.first?["If-None-Match"] == "\"v1\"") }
        }
    }

    // B023
    @Test(
        "The response and the first bytes are told as soon as they are there",
        arguments: [false, true]
    )
    func b023ToldAtOnce(isBytewise: Bool) async throws {
        try await withBench { bench in
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n"
            let goOn = Gate()
            let server = try bench.serve([
                .waitForRequest, isBytewise ? .sendBytewise(head) : .send(head), .waitFor(goOn),
                .send("0123456789"), .hold,
            ])
            let delegate = RecordingDelegate()
            let connection = bench.start(server.request("/f"), delegate)
            try await delegate.heard { $0 == .response(200) }
            goOn.open()
            try await delegate.heard { $0 == .data(10) }
            connection.cancel()
            #expect(delegate.transcript == [.response(200), .data(10)])
        }
    }
}
