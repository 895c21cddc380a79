import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Responses that replace one another", .timeLimit(.minutes(1)))
struct MixedReplaceTests {
    private static let type = "Content-Type: multipart/x-mixed-replace; boundary=\"a b\""

    private static func answer(_ body: String, type: String = type) -> String {
        "HTTP/1.1 200 OK\r\n\(type)\r\nX-Outer: o\r\nX-Both: o\r\nContent-Length: \(body.utf8.count)\r\n"
            + "\r\n" + body
    }

    private static let twoParts =
        "preamble\r\n--a b\r\nContent-Type: image/jpeg; charset=x\r\nContent-Length: 3\r\nx-both: p\r\n\r\n"
        + "one\r\n--a b\r\n\r\nsecond\r\n--a b--\r\nepilogue"

    @Test("Each part is a response with its own length and type", arguments: [false, true])
    func parts(isBytewise: Bool) async throws {
        let answer = Self.answer(Self.twoParts)
        let server = try ScriptedServer([
            .waitForRequest, isBytewise ? .sendBytewise(answer) : .send(answer), .hold,
        ])
        let delegate = try await load(server.request("/cam"))
        #expect(
            delegate.transcript == [
                .response(200), .data(3), .response(200), .data(6), .finished,
            ]
        )
        #expect(String(decoding: delegate.body, as: UTF8.self) == "second")
        let responses = delegate.responses.compactMap { $0 as? HTTPURLResponse }
        #expect(responses.map(\.expectedContentLength) == [3, -1])
        #expect(responses.map(\.mimeType) == ["image/jpeg", nil])
        #expect(responses.map(\.textEncodingName) == ["x", nil])
        #expect(responses.map { $0.value(forHTTPHeaderField: "X-Outer") } == ["o", "o"])
        #expect(responses.map { $0.value(forHTTPHeaderField: "X-Both") } == ["p", "o"])
        #expect(responses.map(\.suggestedFilename) == ["cam.jpg", "cam"])
        #expect(responses.map(\.url) == [server.url("/cam"), server.url("/cam")])
    }

    @Test(
        "A body without its closing delimiter is told as far as it came, and fails",
        arguments: [
            ("", [TranscriptMessage.failed(.networkConnectionLost)]),
            ("no delimiter", [.failed(.networkConnectionLost)]),
            ("--a b\r\nX: ", [.failed(.networkConnectionLost)]),
            (
                "--a b\r\n\r\none\r\n--a",
                [.response(200), .data(8), .failed(.networkConnectionLost)]
            ),
            (
                "--a b\r\n\r\none\r\n--a b\r\n",
                [.response(200), .data(3), .failed(.networkConnectionLost)]
            ),
            ("--a b\r\nno field\r\n", [.failed(.cannotParseResponse)]),
        ]
    )
    func cut(body: String, transcript: [TranscriptMessage]) async throws {
        let framed = try ScriptedServer([.waitForRequest, .send(Self.answer(body)), .hold])
        #expect(try await load(framed.request()).transcript == transcript)
        // The end of the network connection closes no multipart body either.
        let head = "HTTP/1.1 200 OK\r\n\(Self.type)\r\n\r\n"
        let closed = try ScriptedServer([.waitForRequest, .send(head + body), .finish])
        #expect(try await load(closed.request()).transcript == transcript)
    }

    @Test("A network connection that is lost inside a part fails with libcurl's reason")
    func lost() async throws {
        let answer =
            "HTTP/1.1 200 OK\r\n\(Self.type)\r\nContent-Length: 1000\r\n\r\n--a b\r\n\r\none\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(answer), .finish])
        let delegate = try await load(server.request())
        // The line break may be the beginning of a delimiter to the last.
        #expect(
            delegate.transcript == [.response(200), .data(3), .failed(.networkConnectionLost)]
        )
    }

    @Test(
        "Other bodies arrive as they are",
        arguments: [
            "Content-Type: multipart/mixed; boundary=\"a b\"",
            "Content-Type: multipart/byteranges; boundary=\"a b\"",
            "Content-Type: multipart/x-mixed-replace",
            "Content-Type: multipart/x-mixed-replace; boundary=\"\"",
            "X-Type: multipart/x-mixed-replace; boundary=\"a b\"",
        ]
    )
    func others(type: String) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send(Self.answer(Self.twoParts, type: type)), .hold,
        ])
        let delegate = try await load(server.request())
        let count = Self.twoParts.utf8.count
        #expect(delegate.transcript == [.response(200), .data(count), .finished])
        #expect(delegate.response?.expectedContentLength == Int64(count))
    }

    @Test("The answer to a HEAD has no parts")
    func head() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\n\(Self.type)\r\nContent-Length: 9\r\n\r\n"),
            .hold,
        ])
        var request = server.request()
        request.httpMethod = "HEAD"
        let delegate = try await load(request)
        #expect(delegate.transcript == [.response(200), .finished])
        #expect(delegate.response?.mimeType == "multipart/x-mixed-replace")
    }

    @Test("The parts of a redirect that is refused are its answer")
    func refusedRedirect() async throws {
        let answer = Self.answer(Self.twoParts).replacing(
            "200 OK",
            with: "302 X\r\nLocation: /next"
        )
        let server = try ScriptedServer([.waitForRequest, .send(answer), .hold])
        let delegate = AnsweringDelegate { request, response, _ in response == nil ? request : nil }
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(
            delegate.lines == [
                "willSend GET /", "willSend GET /next after 302", "response 302", "data",
                "response 302", "data", "finished",
            ]
        )
    }

    @Test("What is dropped takes no room from what is told")
    func room() async throws {
        // Far more than may wait for a delegate.
        let parts = 400
        let field = "X-Long: " + String(repeating: "x", count: 10_000)
        let body = String(repeating: "--a b\r\n\(field)\r\n\r\n1\r\n", count: parts) + "--a b--"
        let server = try ScriptedServer([.waitForRequest, .send(Self.answer(body)), .hold])
        let test = TestLoop()
        let delegate = try await load(server.request(), loop: test.loop)
        let transcript = [[TranscriptMessage]](
            repeating: [.response(200), .data(1)],
            count: parts
        ).joined()
        #expect(delegate.transcript == Array(transcript) + [.finished])
        #expect(Loader.of(test.loop).waitingBytes.now == 0)
    }

    @Test("A long part flows to a delegate before it is whole")
    func flow() async throws {
        let size = 5_000_000
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\n\(Self.type)\r\n\r\n--a b\r\n\r\n"),
            .sendPattern(size), .waitFor(goOn), .send("\r\n--a b--"), .finish,
        ])
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.heard { if case .data = $0 { true } else { false } }
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(size), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
    }
}
