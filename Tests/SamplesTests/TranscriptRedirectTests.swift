import Foundation
import NetworkingTestKit
import Testing

@Suite("What transcript prints of redirects", .timeLimit(.minutes(1)))
struct TranscriptRedirectTests {
    private let abcd = ScriptStep.respond(200, ["Content-Type: text/plain"], body: "ABCD")

    private func moved(_ status: Int, to location: String = "/b") -> ScriptStep {
        .respond(status, ["Content-Type: text/plain", "Location: \(location)"], body: "moved")
    }

    /// The line of a redirect to /b that became the answer.
    private func refused(_ url: URL, _ status: Int, on place: String = "main") -> TranscriptLine {
        .response(url, status, length: 5, further: #","Location":"/b""#, on: place)
    }

    @Test(
        "Each request of a chain is a line before it is sent, and only the last answer is told",
        arguments: ["main", "operation-queue", "dispatch-queue", "loop"]
    )
    func chain(place: String) async throws {
        let server = try ScriptedServer([
            .waitForRequest, moved(301), .waitForRequest, moved(307, to: "c"), .waitForRequest,
            abcd,
        ])
        let url = server.url("/a")
        let options = ["--header", "X-B: \"2\"", "--header", "X-A: 1", "--on", place]
        let lines = try await TranscriptLines(options + ["\(url)"])
        let headers = #""X-A":"1","X-B":"\"2\"""#
        #expect(
            lines.messages == [
                .willSend(url, headers: headers, on: place),
                .willSend(server.url("/b"), headers: headers, after: 301, on: place),
                .willSend(server.url("/c"), headers: headers, after: 307, on: place),
                .response(server.url("/c"), on: place),
                .data(on: place), .last("finished", on: place),
            ]
        )
        #expect(lines.summary == .summary(1, finished: 1, bytes: 4))
        #expect(server.requests.map(\.target) == ["/a", "/b", "/c"])
    }

    @Test(
        "With --refuse-redirects the redirect is told and is the answer",
        arguments: ["main", "operation-queue", "dispatch-queue", "loop"]
    )
    func refusal(place: String) async throws {
        let server = try ScriptedServer([.waitForRequest, moved(302), .waitForRequest, abcd])
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("out")
        let url = server.url("/a")
        let options = ["--refuse-redirects", "--output", file.path, "--on", place]
        let lines = try await TranscriptLines(options + ["\(url)"])
        #expect(
            lines.messages == [
                .willSend(url, on: place),
                .willSend(server.url("/b"), after: 302, on: place),
                refused(url, 302, on: place), .data("moved", on: place),
                .last("finished", on: place),
            ]
        )
        #expect(lines.summary == .summary(1, finished: 1, bytes: 5))
        #expect(lines.status == 0 && server.requests.count == 1)
        #expect(try Data(contentsOf: file) == Data("moved".utf8))
    }

    @Test("An answer that is no redirect is not refused")
    func nothingToRefuse() async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let url = server.url("/a")
        let lines = try await TranscriptLines(["--refuse-redirects", "\(url)"])
        #expect(
            lines.messages == [
                .willSend(url), .response(url), .data(),
                .last("finished"),
            ]
        )
    }

    @Test("A 303 turns what was posted into a GET, a 308 keeps it", arguments: [303, 308])
    func posted(status: Int) async throws {
        let server = try ScriptedServer([.waitForRequest, moved(status), .waitForRequest, abcd])
        let url = server.url("/a")
        let lines = try await TranscriptLines(["--data", "a=b", "\(url)"])
        let type = #""Content-Type":"application/x-www-form-urlencoded""#
        let isKept = status == 308
        #expect(
            lines.messages == [
                .willSend(url, "POST", headers: type), .sentBody(3),
                .willSend(
                    server.url("/b"),
                    isKept ? "POST" : "GET",
                    headers: isKept ? type : "",
                    after: status
                ),
            ] + (isKept ? [.sentBody(3)] : []) + [
                .response(server.url("/b")), .data(),
                .last("finished"),
            ]
        )
        #expect(server.requests.map(\.method) == ["POST", isKept ? "POST" : "GET"])
        #expect(server.requests.map(\.bodyText) == ["a=b", isKept ? "a=b" : ""])
    }

    @Test("What was posted is sent once where redirects are refused")
    func postedAndRefused() async throws {
        let server = try ScriptedServer([.waitForRequest, moved(307), .waitForRequest, abcd])
        let url = server.url("/a")
        let type = #""Content-Type":"text/x""#
        let options = ["--refuse-redirects", "--data", "a=b", "--header", "Content-Type: text/x"]
        let lines = try await TranscriptLines(options + ["\(url)"])
        #expect(
            lines.messages == [
                .willSend(url, "POST", headers: type), .sentBody(3),
                .willSend(server.url("/b"), "POST", headers: type, after: 307),
                refused(url, 307), .data("moved"), .last("finished"),
            ]
        )
        #expect(server.requests.map(\.bodyText) == ["a=b"])
    }

    @Test("A circle of redirects is told twenty times, and then fails")
    func circle() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, moved(302)])])
        let url = server.url("/b")
        let lines = try await TranscriptLines(["\(url)"])
        let redirect = TranscriptLine.willSend(url, after: 302)
        #expect(
            lines.messages == [.willSend(url)]
                + Array(repeating: redirect, count: 20)
                + [.failed(-1007, url)]
        )
        #expect(lines.summary == .summary(1, failed: 1, bytes: 0))
        #expect(lines.status == 1)
    }

    @Test("Inside willSend a connection may be cancelled before anything is sent")
    func cancelledAtOnce() async throws {
        let server = try ScriptedServer([.waitForRequest, abcd])
        let url = server.url("/a")
        let lines = try await TranscriptLines(["--cancel-after-messages", "1", "\(url)"])
        #expect(lines.messages == [.willSend(url), .last("cancelled")])
        #expect(lines.summary == .summary(1, cancelled: 1, bytes: 0))
        #expect(lines.status == 0 && server.requests.isEmpty)
    }

    @Test("Inside willSend a connection may be cancelled before a redirect is followed")
    func cancelledAtRedirect() async throws {
        let server = try ScriptedServer([.waitForRequest, moved(302), .waitForRequest, abcd])
        let url = server.url("/a")
        let lines = try await TranscriptLines(["--cancel-after-messages", "2", "\(url)"])
        #expect(
            lines.messages == [
                .willSend(url), .willSend(server.url("/b"), after: 302),
                .last("cancelled"),
            ]
        )
        #expect(lines.status == 0 && server.requests.count == 1)
    }
}
