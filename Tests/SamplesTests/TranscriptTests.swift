import Digests
import Foundation
import NetworkingTestKit
import Testing

@Suite("What transcript prints", .timeLimit(.minutes(1)))
struct TranscriptTests {
    private let abcd = ScriptStep.respond(200, ["Content-Type: text/plain"], body: "ABCD")

    @Test("Without an argument it loads a file of its own server, and the digest is the file's")
    func byItself() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("out")
        let lines = try await TranscriptLines(["--output", file.path])
        try #require(lines.messages.count > 3)
        #expect(lines.messages[0].description.contains(#""message":"willSend""#))
        #expect(lines.messages[1].description.contains(#""status":200"#))
        #expect(lines.messages.last == .last("finished"))
        #expect(lines.summary == .summary(1, finished: 1, bytes: 100_000))
        let body = [UInt8](try Data(contentsOf: file))
        let end = #""total":100000,"sha256":"\#(SHA256Hasher.hash(body))"}"#
        #expect(lines.messages.dropLast().last?.description.hasSuffix(end) == true)
        #expect(lines.status == 0 && lines.errors.isEmpty)
    }

    @Test(
        "Each message is one line, which says where it was heard",
        arguments: ["main", "operation-queue", "dispatch-queue", "loop"]
    )
    func places(place: String) async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let lines = try await TranscriptLines(["--on", place, "\(server.url("/f"))"])
        #expect(
            lines.messages == [
                .willSend(server.url("/f"), on: place), .response(server.url("/f"), on: place),
                .data(on: place), .last("finished", on: place),
            ]
        )
        #expect(lines.summary == .summary(1, finished: 1, bytes: 4))
        #expect(lines.times.count == 4 && lines.times == lines.times.sorted())
        #expect(lines.figures.count == 4 && lines.figures.allSatisfy { $0 > 0 })
        #expect(lines.status == 0)
    }

    @Test("With --body the bytes are there in base64")
    func body() async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let lines = try await TranscriptLines(["--body", "\(server.url("/f"))"])
        #expect(lines.messages.dropFirst(2).first == .data(further: #","body":"QUJDRA==""#))
    }

    @Test("What is special in JSON is escaped, and what is not ASCII stands as it is")
    func escapes() async throws {
        let fields = [#"Content-Disposition: attachment; filename="a\"b.bin""#, "X-A: ü\\/\tx"]
        let server = try ScriptedServer([.waitForRequest, .respond(404, fields)])
        let lines = try await TranscriptLines(["\(server.url("/f"))"])
        let begin = #"{"message":"response","on":"main","connection":0,"status":404,"#
        let headers =
            #""Content-Disposition":"attachment; filename=\"a\\\"b.bin\"","#
            + #""Content-Length":"0","X-A":"ü\\/\tx""#
        let end = #","expected":0,"mime":null,"encoding":null,"filename":"a\"b.bin"}"#
        let response = TranscriptLine(
            begin + #""url":"\#(server.url("/f"))","headers":{\#(headers)}"# + end
        )
        #expect(lines.messages == [.willSend(server.url("/f")), response, .last("finished")])
        #expect(lines.status == 0)
    }
}

// MARK: - Ends

extension TranscriptTests {
    @Test("A port where nobody listens is a failure with Apple's code, libcurl's and the URL")
    func refused() async throws {
        let server = try ScriptedServer([])
        server.stop()
        let lines = try await TranscriptLines(["\(server.url("/f"))"])
        #expect(
            lines.messages == [
                .willSend(server.url("/f")), .failed(-1004, curl: "7", server.url("/f")),
            ]
        )
        #expect(lines.summary == .summary(1, failed: 1, bytes: 0))
        #expect(lines.status == 1)
    }

    @Test("A body that is cut is told as far as it came, and then as a failure")
    func cut() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Type: text/plain\r\n\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(head + "ABCD"), .finish])
        let lines = try await TranscriptLines(["\(server.url("/f"))"])
        #expect(
            lines.messages.dropFirst(2) == [.data(), .failed(-1005, curl: "18", server.url("/f"))]
        )
        #expect(lines.summary == .summary(1, failed: 1, bytes: 4))
        #expect(lines.status == 1)
    }

    @Test("When nothing moves for as long as --timeout says, the load fails")
    func timeout() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold])
        let lines = try await TranscriptLines(["--timeout", "0.2", "\(server.url("/f"))"])
        #expect(lines.messages == [.willSend(server.url("/f")), .failed(-1001, server.url("/f"))])
    }

    /// What a POST gets whose owner does not say what its body is.
    private static let form = #""Content-Type":"application/x-www-form-urlencoded""#

    @Test("A body from a stream goes out, in chunks or with its length", arguments: [false, true])
    func stream(hasLength: Bool) async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("body")
        try Data("hello".utf8).write(to: file)
        let length = hasLength ? ["--header", "Content-Length: 5"] : []
        let options = ["--stream", file.path] + length
        let lines = try await TranscriptLines(options + ["\(server.url("/f"))"])
        #expect(
            lines.messages == [
                .willSend(
                    server.url("/f"),
                    "POST",
                    headers: (hasLength ? #""Content-Length":"5","# : "") + Self.form
                ),
                .sentBody(5, of: hasLength ? 5 : -1), .response(server.url("/f")), .data(),
                .last("finished"),
            ]
        )
        #expect(lines.status == 0)
        #expect(server.requests.map(\.bodyText) == ["hello"])
        #expect(server.requests.first?["Content-Length"] == (hasLength ? "5" : nil))
    }

    @Test("A body from a stream is sent once more from a new stream")
    func streamTwice() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(307, ["Location: /g"]), .waitForRequest, abcd,
        ])
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("body")
        try Data("hello".utf8).write(to: file)
        let lines = try await TranscriptLines(["--stream", file.path, "\(server.url("/f"))"])
        #expect(
            lines.messages == [
                .willSend(server.url("/f"), "POST", headers: Self.form), .sentBody(5, of: -1),
                .willSend(server.url("/g"), "POST", headers: Self.form, after: 307),
                .needNewBodyStream(server.url("/g")), .sentBody(5, of: -1),
                .response(server.url("/g")), .data(), .last("finished"),
            ]
        )
        #expect(server.requests.map(\.bodyText) == ["hello", "hello"])
    }

    @Test("The file of --cacert reaches libcurl, which says that there is none")
    func authorities() async throws {
        let server = try ScriptedServer([.hold])
        let url = "https://127.0.0.1:\(server.port)/f"
        let lines = try await TranscriptLines(["--cacert", "/nowhere/ca.pem", url])
        #expect(lines.messages.last?.description.contains(#""curl":77,"url":"\#(url)""#) == true)
        #expect(lines.status == 1)
    }

    @Test(
        "A connection that is cancelled as asked is told so, and nothing comes after it",
        arguments: [["--cancel-after-bytes", "4"], ["--cancel-after-messages=3"]]
    )
    func cancelled(option: [String]) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nContent-Type: text/plain\r\n\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(head + "ABCD"), .hold])
        let lines = try await TranscriptLines(option + ["\(server.url("/f"))"])
        #expect(lines.messages.dropFirst(2) == [.data(), .last("cancelled")])
        #expect(lines.summary == .summary(1, cancelled: 1, bytes: 4))
        #expect(lines.status == 0)
    }

    @Test("Bytes are counted from the response on: none have come by it")
    func cancelledAtResponse() async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let lines = try await TranscriptLines(["--cancel-after-bytes", "0", "\(server.url("/f"))"])
        #expect(
            lines.messages == [
                .willSend(server.url("/f")), .response(server.url("/f")), .last("cancelled"),
            ]
        )
    }

    @Test("A connection that ends before is not cancelled")
    func endsBefore() async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let options = ["--cancel-after-bytes", "5", "--cancel-after-messages", "4"]
        let lines = try await TranscriptLines(options + ["\(server.url("/f"))"])
        #expect(
            lines.messages == [
                .willSend(server.url("/f")), .response(server.url("/f")), .data(),
                .last("finished"),
            ]
        )
        #expect(lines.summary == .summary(1, finished: 1, bytes: 4))
    }
}

// MARK: - Time and number

extension TranscriptTests {
    @Test("A slow delegate takes its time for each message, behind the line")
    func slow() async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let lines = try await TranscriptLines(["--slow", "30", "\(server.url("/f"))"])
        #expect(
            lines.messages == [
                .willSend(server.url("/f")), .response(server.url("/f")), .data(),
                .last("finished"),
            ]
        )
        try #require(lines.times.count == 4)
        let ends = lines.times.dropFirst() + [lines.figures.first ?? 0]
        #expect(zip(lines.times, ends).allSatisfy { $1 >= $0 + 30 })
    }

    @Test("A delegate that pauses does so once, when the bytes have come")
    func pause() async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let options = ["--pause-after-bytes", "4", "--pause-for", "40", "--on", "operation-queue"]
        let lines = try await TranscriptLines(options + ["\(server.url("/f"))"])
        try #require(lines.times.count == 4)
        #expect(lines.times[3] >= lines.times[2] + 40)
    }

    @Test("Several connections run one after another on one network connection")
    func repeated() async throws {
        let server = try ScriptedServer([.again(times: 3, [.waitForRequest, abcd])])
        let lines = try await TranscriptLines(["--repeat", "3", "\(server.url("/f"))"])
        let wanted: [[TranscriptLine]] = (0..<3).map { index in
            [
                .willSend(server.url("/f"), connection: index),
                .response(server.url("/f"), connection: index), .data(connection: index),
                .last("finished", connection: index),
            ]
        }
        #expect(lines.messages == wanted.flatMap(\.self))
        #expect(lines.summary == .summary(3, finished: 3, bytes: 12))
        #expect(server.connectionCount == 1)
    }

    @Test(
        "Several connections run at once, each with whole lines of its own",
        arguments: ["main", "operation-queue", "dispatch-queue", "loop"]
    )
    func parallel(place: String) async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, abcd])])
        let options = ["--parallel", "4", "--repeat", "2", "--on", place]
        let lines = try await TranscriptLines(options + ["\(server.url("/f"))"])
        #expect(lines.messages.count == 8 * 4)
        for index in 0..<8 {
            #expect(
                lines.messages(of: index) == [
                    .willSend(server.url("/f"), on: place, connection: index),
                    .response(server.url("/f"), on: place, connection: index),
                    .data(on: place, connection: index),
                    .last("finished", on: place, connection: index),
                ]
            )
        }
        #expect(lines.summary == .summary(8, finished: 8, bytes: 32))
    }

    @Test("A line is there when its message is told, not only at the end")
    func flushed() async throws {
        let end = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n"
        let server = try ScriptedServer([
            .waitForRequest, .send(head + "ABCD"), .waitFor(end), .send("EFGH"),
        ])
        let process = Process()
        process.executableURL = Program.url(of: "transcript")
        process.arguments = ["\(server.url("/f"))"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var text = ""
        while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
            if text.contains(#""total":4"#) { end.open() }
        }
        #expect(
            text.contains(#""bytes":4,"total":8,"sha256":"\#(TranscriptLine.digest("ABCDEFGH"))""#)
        )
        #expect(text.contains(#""finished":1"#))
    }
}
