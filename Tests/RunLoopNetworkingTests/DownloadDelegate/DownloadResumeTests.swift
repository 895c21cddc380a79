import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Download delegates: lost connections", .timeLimit(.minutes(1)))
struct DownloadResumeTests {
    private let rig: DownloadRig

    init() throws {
        rig = try DownloadRig()
    }

    private static let date = "Date: Mon, 02 Nov 2026 10:00:10 GMT"

    /// A response that breaks off after five of ten bytes.
    private func broken(_ fields: [String]) -> [ScriptStep] {
        let lines = ["HTTP/1.1 200 OK", "Content-Length: 10"] + fields
        return [
            .waitForRequest, .send(lines.joined(separator: "\r\n") + "\r\n\r\nABCDE"), .finish,
        ]
    }

    private func part(_ range: String, _ body: String, _ fields: [String] = []) -> [ScriptStep] {
        [.waitForRequest, .respond(206, ["Content-Range: \(range)"] + fields, body: body)]
    }

    @Test(
        "With a strong validator the load goes on where the file ends",
        arguments: [
            ["ETag: \"v1\""],
            ["Last-Modified: Mon, 02 Nov 2026 10:00:00 GMT", DownloadResumeTests.date],
        ]
    )
    func goesOn(fields: [String]) async throws {
        let server = try ScriptedServer(broken(fields), part("bytes 5-9/10", "FGHIJ", fields))
        let recorder = try await rig.load(server.request(), DownloadAndDataRecorder())
        let last = Array(recorder.lines.suffix(3))
        #expect(recorder.lines.first == "response 200")
        #expect(last == ["resumed 5 of 10", "wrote 10 of 10", "finished"])
        #expect(recorder.text == "ABCDEFGHIJ")
        #expect(!recorder.isWrong)
        let again = try #require(server.requests.last)
        #expect(again["Range"] == "bytes=5-")
        #expect(again["If-Range"] == String(fields[0].drop { $0 != ":" }.dropFirst(2)))
        #expect(again["Accept-Encoding"] == "identity")
        #expect(try await rig.isEmptySoon())
    }

    @Test(
        "Without one, or where no ranges are taken, the load fails",
        arguments: [
            [], ["ETag: W/\"v1\""], ["Last-Modified: Mon, 02 Nov 2026 10:00:00 GMT"],
            ["Last-Modified: Mon, 02 Nov 2026 10:00:10 GMT", DownloadResumeTests.date],
            [
                "ETag: W/\"v1\"", "Last-Modified: Mon, 02 Nov 2026 10:00:00 GMT",
                DownloadResumeTests.date,
            ],
            ["ETag: \"v1\"", "Accept-Ranges: none"],
            ["ETag: \"v1\"", "Content-Encoding: gzip"],
        ]
    )
    func fails(fields: [String]) async throws {
        let server = try ScriptedServer(broken(fields))
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines.last == "failed -1005")
        #expect(server.requests.count == 1)
        #expect(try await rig.isEmptySoon())
    }

    @Test("A request for a part, or by another method, is not gone on with")
    func ownRange() async throws {
        let server = try ScriptedServer(broken(["ETag: \"v1\""]))
        let part = try await rig.load(server.request(fields: ["Range": "bytes=0-"]))
        #expect(part.lines.last == "failed -1005")
        let post = try await rig.load(server.request(method: "POST"))
        #expect(post.lines.last == "failed -1005")
        #expect(server.requests.count == 2)
    }

    // B072, B076
    @Test("A file that has changed is loaded from its beginning, and the totals begin anew")
    func changed() async throws {
        let server = try ScriptedServer(
            broken(["ETag: \"v1\""]),
            [.waitForRequest, .respond(200, ["ETag: \"v2\""], body: "0123456789")]
        )
        let recorder = try await rig.load(server.request(), DownloadAndDataRecorder())
        #expect(recorder.lines.suffix(3) == ["response 200", "wrote 10 of 10", "finished"])
        #expect(recorder.text == "0123456789")
        #expect(!recorder.lines.contains { $0.hasPrefix("resumed") })
        #expect(!recorder.isWrong)
        #expect(try await rig.isEmptySoon())
    }

    // B073, B076, B083
    @Test(
        "A part that is another than was asked for is thrown away, and the whole is loaded",
        arguments: [
            ("bytes 0-9/10", "ABCDEFGHIJ", ""), ("bytes 3-9/10", "DEFGHIJ", ""),
            ("bytes 7-9/10", "HIJ", ""), ("bytes 5-9/12", "FGHIJ", ""),
            ("bytes 9-5/10", "FGHIJ", ""), ("items 5-9/10", "FGHIJ", ""),
            ("bytes 5-9/10", "56789", "ETag: \"v2\""), ("bytes 5-9/10", "FGH", ""),
            ("bytes 5-9/10", "FGHIJ", "Content-Encoding: gzip"),
        ]
    )
    func otherPart(range: String, body: String, field: String) async throws {
        let fields = field.isEmpty ? [] : [field]
        let server = try ScriptedServer(
            broken(["ETag: \"v1\""]),
            part(range, body, fields) + [
                .waitForRequest, .respond(200, ["ETag: \"v2\""], body: "0123456789"),
            ]
        )
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines.last == "finished")
        #expect(recorder.text == "0123456789")
        #expect(server.requests.count == 3)
        #expect(server.requests.last?["Range"] == nil)
        #expect(try await rig.isEmptySoon())
    }

    @Test("A part that ends before the file does is followed by the rest")
    func shortPart() async throws {
        let server = try ScriptedServer(
            broken(["ETag: \"v1\""]),
            part("bytes 5-7/10", "FGH") + part("bytes 8-9/10", "IJ")
        )
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines.suffix(2) == ["wrote 10 of 10", "finished"])
        #expect(
            recorder.lines.filter { $0.hasPrefix("resumed") } == [
                "resumed 5 of 10", "resumed 8 of 10",
            ]
        )
        #expect(recorder.text == "ABCDEFGHIJ")
        #expect(server.requests.last?["Range"] == "bytes=8-")
    }

    // B075
    @Test(
        "An error in answer to the rest is the loss that came before",
        arguments: [404, 403, 503]
    )
    func errorPage(status: Int) async throws {
        let server = try ScriptedServer(
            broken(["ETag: \"v1\""]),
            [.waitForRequest, .respond(status, body: "error page")]
        )
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines.last == "failed -1005")
        #expect(try await rig.isEmptySoon())
    }

    // B074
    @Test("A file that was whole already is finished", arguments: [10])
    func wholeAlready(total: Int) async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try ScriptedServer(
            [.waitForRequest, .send(head + "a\r\nABCDEFGHIJ\r\n"), .finish],
            [.waitForRequest, .respond(416, ["Content-Range: bytes */\(total)"], body: "no")]
        )
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines.last == "finished")
        #expect(recorder.text == "ABCDEFGHIJ")
    }

    @Test("A server that brings nothing new is asked three times more, and then the load fails")
    func limit() async throws {
        let server = try ScriptedServer(
            broken(["ETag: \"v1\""]),
            [.waitForRequest, .finish]
        )
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines.last == "failed -1005")
        #expect(server.requests.count == 5)
        #expect(try await rig.isEmptySoon())
    }

    @Test("A server that ignores the range and breaks off again and again is given up")
    func ignoresRange() async throws {
        let server = try ScriptedServer(broken(["ETag: \"v1\""]))
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines.last == "failed -1005")
        #expect(server.requests.count == 5)
    }

    @Test("Each new byte is worth another try")
    func progress() async throws {
        let parts = (5..<10).map { offset -> [ScriptStep] in
            let letter = Array("ABCDEFGHIJ")[offset]
            let head =
                "HTTP/1.1 206 X\r\nContent-Range: bytes \(offset)-9/10\r\n"
                + "Content-Length: \(10 - offset)\r\n\r\n"
            return [.waitForRequest, .send(head + "\(letter)"), .finish]
        }
        let server = try ScriptedServer { _ in [broken(["ETag: \"v1\""])] + parts }
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines.suffix(2) == ["wrote 10 of 10", "finished"])
        #expect(recorder.text == "ABCDEFGHIJ")
        #expect(server.requests.count == 6)
    }

    @Test("Cancelled while it waits to ask again, it is silent and leaves nothing behind")
    func cancelled() async throws {
        let server = try ScriptedServer(broken(["ETag: \"v1\""]), [.waitForRequest, .finish])
        let recorder = DownloadRecorder()
        let connection = rig.start(server.request(), recorder)
        try await server.received(requests: 2)
        connection.cancel()
        try turnLoopByLoading(rig.test.loop)
        #expect(!recorder.ended.isOpen)
        #expect(try await rig.isEmptySoon())
    }
}
