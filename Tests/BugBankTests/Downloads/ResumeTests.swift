import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: going on with a download", .timeLimit(.minutes(1)))
struct ResumeTests {
    private typealias Message = RecordingDownloadDelegate.Message

    private static let whole = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCDEFGHIJ"

    /// Five of ten bytes, then the end of the network connection.
    private static func half(_ fields: String = "") -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\(fields)\r\nABCDE"
    }

    /// A body whose length was not announced, and which is cut before its last chunk.
    private static func cut(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(body.utf8.count, radix: 16) + "\r\n\(body)\r\n"
    }

    private static func part(_ fields: [String], _ body: String) -> String {
        "HTTP/1.1 206 Partial Content\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    private func serve(_ bench: Bench, _ answers: [String]) throws -> ScriptedServer {
        try bench.serve(answers.map { [.waitForRequest, .send($0), .finish] })
    }

    /// Loads the first answer until it is cut off, then goes on with the others.
    private func resume(
        _ answers: [String]
    ) async throws -> (SaveFolder, [Message], ScriptedServer) {
        try await withBench { bench in
            let server = try serve(bench, answers)
            let folder = try SaveFolder()
            let first = try await bench.download(server, to: folder)
            #expect(first.last == .failed(.networkConnectionLost))
            let second = try await bench.download(server, to: folder)
            return (folder, second, server)
        }
    }

    @Test("A server that ignores the range has the file begun again")
    func b072RangeIgnored() async throws {
        let (folder, told, server) = try await resume([Self.half(), Self.whole])
        #expect(told == [.response(200), .wrote(10, of: 10), .finished("f")])
        #expect(try folder.text("f") == "ABCDEFGHIJ")
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5-"])
    }

    // B073
    @Test(
        "A part that begins earlier is written where it begins",
        arguments: [("0-9/10", "ABCDEFGHIJ", 0), ("3-9/10", "DEFGHIJ", 3)]
    )
    func b073BeginsEarlier(range: String, body: String, offset: Int64) async throws {
        let fields = [
            "ETag: \"v1\"", "Content-Range: bytes \(range)", "Content-Length: \(body.count)",
        ]
        let answers = [Self.half("ETag: \"v1\"\r\n"), Self.part(fields, body)]
        let (folder, told, _) = try await resume(answers)
        let resumed: [Message] = offset > 0 ? [.resumed(offset, of: 10)] : []
        #expect(told == [.response(206)] + resumed + [.wrote(10, of: 10), .finished("f")])
        #expect(try folder.text("f") == "ABCDEFGHIJ")
    }

    // B073
    @Test(
        "A gap, another total and nonsense have the whole asked for",
        arguments: [
            ("bytes 7-9/10", "HIJ"), ("bytes 5-9/12", "FGHIJ"), ("bytes 9-5/10", "FGHIJ"),
            ("items 5-9/10", "FGHIJ"),
        ]
    )
    func b073Unfitting(range: String, body: String) async throws {
        let fields = ["ETag: \"v1\"", "Content-Range: \(range)", "Content-Length: \(body.count)"]
        let answers = [Self.half("ETag: \"v1\"\r\n"), Self.part(fields, body), Self.whole]
        let (folder, told, server) = try await resume(answers)
        #expect(
            told == [.response(206), .response(200), .wrote(10, of: 10), .finished("f")]
        )
        #expect(try folder.text("f") == "ABCDEFGHIJ")
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5-", nil])
    }

    @Test("A file that is already whole is recognised")
    func b074AlreadyWhole() async throws {
        let answer =
            "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */10\r\n"
            + "Content-Length: 12\r\n\r\nout of range"
        let (folder, told, server) = try await resume([Self.cut("ABCDEFGHIJ"), answer])
        #expect(told == [.response(416), .resumed(10, of: 10), .finished("f")])
        #expect(try folder.text("f") == "ABCDEFGHIJ")
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=10-"])
    }

    // B075
    @Test(
        "416 for a shorter file has the whole asked for",
        arguments: ["Content-Range: bytes */10\r\n", ""]
    )
    func b075Shorter(field: String) async throws {
        let answer =
            "HTTP/1.1 416 Range Not Satisfiable\r\n\(field)Content-Type: text/html\r\n"
            + "Content-Length: 20\r\n\r\n<html>416 no</html>\n"
        let (folder, told, _) = try await resume([Self.cut("abcdefghijklmno"), answer, Self.whole])
        #expect(
            told == [.response(416), .response(200), .wrote(10, of: 10), .finished("f")]
        )
        #expect(try folder.text("f") == "ABCDEFGHIJ")
    }

    // B075
    @Test(
        "The page of an error reaches no file, and what came is kept",
        arguments: [403, 404, 503]
    )
    func b075ErrorPage(status: Int) async throws {
        let answer =
            "HTTP/1.1 \(status) No\r\nRetry-After: 1\r\nContent-Type: text/html\r\n"
            + "Content-Length: 6\r\n\r\n<html>"
        let (folder, told, _) = try await resume([Self.cut("abcdefghijklmno"), answer])
        #expect(told.count == 2)
        #expect(told.first == .response(status))
        #expect(try folder.names == ["f.part", "f.part.state"])
        #expect(try folder.text("f.part") == "abcdefghijklmno")
        for name in try folder.names {
            try FileManager.default.removeItem(at: folder.url.appending(path: name))
        }
    }

    @Test("A file that has changed is loaded anew: If-Range asks for that")
    func b076Changed() async throws {
        let changed = "HTTP/1.1 200 OK\r\nETag: \"v2\"\r\nContent-Length: 10\r\n\r\n0123456789"
        let (folder, told, server) = try await resume([Self.half("ETag: \"v1\"\r\n"), changed])
        #expect(told == [.response(200), .wrote(10, of: 10), .finished("f")])
        #expect(try folder.text("f") == "0123456789")
        #expect(server.requests.last?["Range"] == "bytes=5-")
        #expect(server.requests.last?["If-Range"] == "\"v1\"")
    }

    @Test("A server that ignores If-Range has the whole asked for")
    func b076ConditionIgnored() async throws {
        let fields = ["ETag: \"v2\"", "Content-Range: bytes 5-9/10", "Content-Length: 5"]
        let changed = "HTTP/1.1 200 OK\r\nETag: \"v2\"\r\nContent-Length: 10\r\n\r\n0123456789"
        let answers = [Self.half("ETag: \"v1\"\r\n"), Self.part(fields, "56789"), changed]
        let (folder, told, _) = try await resume(answers)
        #expect(
            told == [.response(206), .response(200), .wrote(10, of: 10), .finished("f")]
        )
        #expect(try folder.text("f") == "0123456789")
    }

    @Test("Progress goes on where it was, and never beyond the whole")
    func b078Progress() async throws {
        try await withBench { bench in
            let body = String(repeating: "x", count: 1_000)
            let first = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + body.prefix(600)
            let fields = ["Content-Range: bytes 600-999/1000", "Content-Length: 400"]
            let rest = Self.part(fields, String(body.prefix(400)))
            let server = try serve(bench, [first, rest])
            let folder = try SaveFolder()
            let delegate = RecordingDownloadDelegate()
            bench.download(server, to: folder, tries: 2, delegate).start()
            #expect(
                try await delegate.ended() == [
                    .response(200), .wrote(600, of: 1_000), .willRetry, .response(206),
                    .resumed(600, of: 1_000), .wrote(1_000, of: 1_000), .finished("f"),
                ]
            )
            #expect(delegate.totals == delegate.totals.sorted())
            #expect(try folder.text("f") == body)
        }
    }

    @Test("A total that is not known is not 0")
    func b079UnknownTotal() async throws {
        let rest = Self.part(["Content-Range: bytes 5-9/*", "Content-Length: 5"], "FGHIJ")
        let (folder, told, _) = try await resume([Self.cut("ABCDE"), rest])
        #expect(
            told == [.response(206), .resumed(5, of: -1), .wrote(10, of: -1), .finished("f")]
        )
        #expect(try folder.text("f") == "ABCDEFGHIJ")
        let (other, toldOther, _) = try await resume([Self.half(), rest])
        #expect(
            toldOther == [.response(206), .resumed(5, of: 10), .wrote(10, of: 10), .finished("f")]
        )
        #expect(try other.text("f") == "ABCDEFGHIJ")
    }

    @Test("The heads of parts never reach the file")
    func b081Multipart() async throws {
        let body = "--B\r\nContent-Range: bytes 5-9/10\r\n\r\nFGHIJ\r\n--B--\r\n"
        let fields = [
            "Content-Type: multipart/byteranges; boundary=B", "Content-Length: \(body.utf8.count)",
        ]
        let (folder, told, _) = try await resume([Self.half(), Self.part(fields, body), Self.whole])
        #expect(
            told == [.response(206), .response(200), .wrote(10, of: 10), .finished("f")]
        )
        #expect(try folder.text("f") == "ABCDEFGHIJ")
    }

    // B083
    @Test("A part whose length is another than its range says is not believed", arguments: [3, 10])
    func b083OtherLength(count: Int) async throws {
        let fields = ["Content-Range: bytes 5-9/10", "Content-Length: \(count)"]
        let part = Self.part(fields, String("FGHIJKLMNO".prefix(count)))
        let (folder, told, _) = try await resume([Self.half(), part, Self.whole])
        #expect(
            told == [.response(206), .response(200), .wrote(10, of: 10), .finished("f")]
        )
        #expect(try folder.text("f") == "ABCDEFGHIJ")
    }

    @Test("A part that nobody asked for is the beginning, and the rest is asked for")
    func b084Unasked() async throws {
        try await withBench { bench in
            let fields = ["Content-Range: bytes 0-4/10", "Content-Length: 5"]
            let rest = ["Content-Range: bytes 5-9/10", "Content-Length: 5"]
            let answers = [Self.part(fields, "ABCDE"), Self.part(rest, "FGHIJ")]
            let server = try serve(bench, answers)
            let folder = try SaveFolder()
            #expect(
                try await bench.download(server, to: folder) == [
                    .response(206), .wrote(5, of: 10),
                    .response(206), .resumed(5, of: 10), .wrote(10, of: 10), .finished("f"),
                ]
            )
            #expect(try folder.text("f") == "ABCDEFGHIJ")
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5-"])
        }
    }

    @Test("Offsets beyond 4 GiB are right")
    func b085GreatOffset() async throws {
        try await withBench { bench in
            let fields = [
                "Content-Range: bytes 5368709120-5368709124/5368709125", "Content-Length: 5",
            ]
            let server = try serve(bench, [Self.part(fields, "FGHIJ")])
            let folder = try SaveFolder()
            let part = folder.url.appending(path: "f.part")
            try Data().write(to: part)
            let handle = try FileHandle(forWritingTo: part)
            try handle.truncate(atOffset: 5_368_709_120)
            try handle.close()
            let url = server.url("/f").absoluteString
            let state = """
                {"version":1,"state":{"url":"\(url)","finalURL":"\(url)","validators":{},
                "syncedLength":5368709120,"suggestedName":"f","digests":[]}}
                """
            try Data(state.utf8).write(to: folder.url.appending(path: "f.part.state"))
            #expect(
                try await bench.download(server, to: folder) == [
                    .response(206), .resumed(5_368_709_120, of: 5_368_709_125),
                    .wrote(5_368_709_125, of: 5_368_709_125), .finished("f"),
                ]
            )
            #expect(server.requests.map { $0["Range"] } == ["bytes=5368709120-"])
            let whole = try FileHandle(forReadingFrom: folder.url.appending(path: "f"))
            #expect(try whole.seekToEnd() == 5_368_709_125)
            try whole.seek(toOffset: 5_368_709_120)
            #expect(try whole.readToEnd() == Data("FGHIJ".utf8))
            try whole.close()
        }
    }

    @Test("A length beyond 4 GiB is a length")
    func b085GreatLength() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 6442450944\r\n\r\nx"),
                .hold,
            ])
            let hasBegun = Gate()
            let delegate = RecordingDelegate { message, connection in
                guard message == .data(1) else { return }
                connection.cancel()
                hasBegun.open()
            }
            bench.start(server.request("/f"), delegate)
            try await hasBegun.opened()
            #expect(delegate.response?.expectedContentLength == 6_442_450_944)
        }
    }

    @Test("A try that fails throws nothing away")
    func b087FailedTry() async throws {
        try await withBench { bench in
            let rest = Self.part(
                ["ETag: \"v1\"", "Content-Range: bytes 5-9/10", "Content-Length: 5"],
                "FGHIJ"
            )
            // A reset before the status line is a dead network connection, on which a GET is sent again.
            let server = try bench.serve(
                [.waitForRequest, .send(Self.half("ETag: \"v1\"\r\n")), .finish],
                [.waitForRequest, .send("HTTP/1.1 206 Par"), .reset],
                [.waitForRequest, .send(rest)]
            )
            let folder = try SaveFolder()
            try await bench.download(server, to: folder)
            let second = try await bench.download(server, to: folder)
            #expect(second.count == 1)
            #expect(try folder.names == ["f.part", "f.part.state"])
            #expect(try folder.text("f.part") == "ABCDE")
            #expect(
                try await bench.download(server, to: folder)
                    == [.response(206), .resumed(5, of: 10), .wrote(10, of: 10), .finished("f")]
            )
            #expect(server.requests.last?["If-Range"] == "\"v1\"")
            #expect(try folder.text("f") == "ABCDEFGHIJ")
        }
    }

    @Test("A download that was stopped is gone on with by another one; damaged state does no harm")
    func b089StateOnDisk() async throws {
        try await withBench { bench in
            let rest = Self.part(
                ["ETag: \"v1\"", "Content-Range: bytes 5-9/10", "Content-Length: 5"],
                "FGHIJ"
            )
            let server = try bench.serve(
                [.waitForRequest, .send(Self.half("ETag: \"v1\"\r\n")), .hold],
                [.waitForRequest, .send(rest), .finish],
                [.waitForRequest, .send(Self.half("ETag: \"v1\"\r\n")), .finish],
                [.waitForRequest, .send(Self.whole), .finish]
            )
            let folder = try SaveFolder()
            let delegate = RecordingDownloadDelegate { message, download in
                if message == .wrote(5, of: 10) { download.pause() }
            }
            let first = bench.download(server, to: folder, delegate)
            first.start()
            #expect(try await delegate.paused() == [.response(200), .wrote(5, of: 10), .paused])
            let second = try await bench.download(server, to: folder)
            #expect(
                second == [.response(206), .resumed(5, of: 10), .wrote(10, of: 10), .finished("f")]
            )
            // Paused for good: nothing of it is left on the disk.
            first.cancel()
            #expect(try folder.text("f") == "ABCDEFGHIJ")
            try await bench.download(server, to: folder, replaces: true)
            try Data("{".utf8).write(to: folder.url.appending(path: "f.part.state"))
            let third = try await bench.download(server, to: folder, replaces: true)
            #expect(third == [.response(200), .wrote(10, of: 10), .finished("f")])
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5-", nil, nil])
            #expect(try folder.names == ["f"])
        }
    }
}
