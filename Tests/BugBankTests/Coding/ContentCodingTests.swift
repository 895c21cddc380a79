import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: content codings", .timeLimit(.minutes(1)))
struct ContentCodingTests {
    private static func head(_ fields: String...) -> ScriptStep {
        .send((["HTTP/1.1 200 OK"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    private static func answer(_ body: [UInt8], isBytewise: Bool = false) -> [ScriptStep] {
        [
            head("Content-Encoding: gzip", "Content-Length: \(body.count)"),
            isBytewise ? .sendBytewise(body) : .send(body),
        ]
    }

    // B062
    @Test("The length of a body that is decoded is unknown, so that progress never passes its end")
    func b062Progress() async throws {
        try await withBench { bench in
            let delegate = try await bench.load(Self.answer(Gzip.many))
            #expect(Gzip.many.count == 133)
            #expect(delegate.transcript == [.response(200), .data(100_000), .finished])
            #expect(delegate.body == Data(repeating: 65, count: 100_000))
            #expect(delegate.response?.expectedContentLength == -1)
        }
    }

    // B063: decoded by default, as everybody does it; with `identity` the bytes that are stored.
    @Test(
        "Whoever asks for the identity gets the bytes as they are stored, with their length",
        arguments: [nil, "identity", "identity;q=1, *;q=0", "br"]
    )
    func b063Archive(accepted: String?) async throws {
        try await withBench { bench in
            let head = Self.head(
                "Content-Type: application/x-gzip",
                "Content-Encoding: gzip",
                "Content-Length: \(Gzip.hello.count)"
            )
            let server = try bench.serve([.waitForRequest, head, .send(Gzip.hello)])
            var request = server.request("/pkg.tar.gz")
            request.setValue(accepted, forHTTPHeaderField: "Accept-Encoding")
            let delegate = try await bench.load(request)
            let isDecoded = accepted == nil
            let body = isDecoded ? Array("hello".utf8) : Gzip.hello
            #expect(delegate.transcript == [.response(200), .data(body.count), .finished])
            #expect(delegate.body == Data(body))
            let length = Int64(isDecoded ? -1 : body.count)
            #expect(delegate.response?.expectedContentLength == length)
            #expect(server.requests.map { $0["Accept-Encoding"] } == [accepted ?? "gzip, deflate"])
        }
    }

    // B065
    @Test("Zeros behind a gzip stream are padding", arguments: [false, true])
    func b065Padding(isBytewise: Bool) async throws {
        try await withBench { bench in
            let body = Gzip.hello + [UInt8](repeating: 0, count: 8)
            let delegate = try await bench.load(Self.answer(body, isBytewise: isBytewise))
            #expect(delegate.transcript == [.response(200), .data(5), .finished])
            #expect(delegate.body == Data("hello".utf8))
        }
    }

    // B065
    @Test(
        "A member that is cut off, and garbage, make a failure behind what came before",
        arguments: [[31, 139, 8, 0], [31], [1, 2, 3], [0, 0, 31, 139, 8, 0]],
        [false, true]
    )
    func b065CutMember(trailing: [UInt8], isBytewise: Bool) async throws {
        try await withBench { bench in
            let body = Gzip.hello + trailing
            let delegate = try await bench.load(Self.answer(body, isBytewise: isBytewise))
            #expect(
                delegate.transcript
                    == [.response(200), .data(5), .failed(.cannotDecodeContentData)]
            )
            #expect(delegate.body == Data("hello".utf8))
        }
    }

    // B066
    @Test(
        "A gzip stream that is cut fails, however the body is framed",
        arguments: ["length", "close", "chunks"],
        [1, 8, 10, 60]
    )
    func b066Cut(framing: String, missing: Int) async throws {
        try await withBench { bench in
            let body = Array(Gzip.many.dropLast(missing))
            let steps: [ScriptStep] =
                switch framing {
                case "length": Self.answer(body)
                case "close":
                    [
                        Self.head("Content-Encoding: gzip", "Connection: close"), .send(body),
                        .finish,
                    ]
                default:
                    [
                        Self.head("Content-Encoding: gzip", "Transfer-Encoding: chunked"),
                        .send("\(String(body.count, radix: 16))\r\n"), .send(body),
                        .send("\r\n0\r\n\r\n"),
                    ]
                }
            let delegate = try await bench.load(steps)
            #expect(delegate.transcript.first == .response(200))
            #expect(delegate.transcript.last == .failed(.cannotDecodeContentData))
            #expect(delegate.body.allSatisfy { $0 == 65 })
            #expect(
                delegate.urlError?.localizedDescription == "The body ends inside its gzip stream."
            )
        }
    }

    // B066
    @Test("A byte that was changed on its way makes a failure", arguments: [40, 125, 130])
    func b066Flipped(index: Int) async throws {
        try await withBench { bench in
            var body = Gzip.many
            body[index] ^= 0x10
            let delegate = try await bench.load(Self.answer(body))
            #expect(delegate.transcript.first == .response(200))
            #expect(delegate.transcript.last == .failed(.cannotDecodeContentData))
        }
    }

    // B068
    @Test("A coding that is not known is no reason to keep the bytes back")
    func b068Unknown() async throws {
        try await withBench { bench in
            let delegate = try await bench.load([
                Self.head("Content-Encoding: UTF-8", "Content-Length: 5"), .send("hello"),
            ])
            #expect(delegate.transcript == [.response(200), .data(5), .finished])
            #expect(delegate.body == Data("hello".utf8))
            #expect(delegate.response?.value(forHTTPHeaderField: "Content-Encoding") == "UTF-8")
            #expect(delegate.response?.expectedContentLength == 5)
        }
    }

    // B071
    @Test(
        "A body without a byte is none, whatever its coding is said to be",
        arguments: [
            ("GET", "200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"),
            ("HEAD", "200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 130\r\n\r\n"),
            ("GET", "204 No Content\r\nContent-Encoding: gzip\r\n\r\n"),
            ("GET", "304 Not Modified\r\nContent-Encoding: gzip\r\nContent-Length: 130\r\n\r\n"),
            (
                "GET",
                "200 OK\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
        ]
    )
    func b071Empty(method: String, answer: String) async throws {
        try await withBench { bench in
            let delegate = try await bench.load([.send("HTTP/1.1 " + answer)], method: method)
            let status = try #require(Int(answer.prefix(3)))
            #expect(delegate.transcript == [.response(status), .finished])
        }
    }

    // B071
    @Test("A body that answers HEAD against the rules is not read as the next response")
    func b071BodyOfHead() async throws {
        try await withBench { bench in
            let fields = "Content-Encoding: gzip\r\nContent-Length: \(Gzip.nothing.count)\r\n\r\n"
            let heard = Gate()
            let script: [ScriptStep] = [
                .waitForRequest, .send("HTTP/1.1 200 OK\r\n" + fields), .send(Gzip.nothing),
                .open(heard), .waitForRequest, .respond(200, body: "stray"),
            ]
            let server = try bench.serve(script, [.waitForRequest, .respond(200, body: "fine")])
            let first = try await bench.load(server.request("/f", method: "HEAD"))
            #expect(first.transcript == [.response(200), .finished])
            try await heard.opened()
            let second = try await bench.load(server.request("/g"))
            #expect(second.transcript.first == .response(200))
            #expect(second.transcript.last == .finished)
            #expect(["fine", "stray"].contains(String(decoding: second.body, as: UTF8.self)))
        }
    }
}
