import Foundation
import NetworkingTestKit
import Testing

@Suite("What transcript asks for", .timeLimit(.minutes(1)))
struct TranscriptRequestTests {
    private func request(_ options: [String]) async throws -> RecordedRequest {
        let server = try ScriptedServer([.waitForRequest, .respond(200)])
        let lines = try await TranscriptLines(options + ["\(server.url("/f"))"])
        #expect(lines.status == 0)
        return try #require(server.requests.first)
    }

    @Test("Method, fields and range reach the server")
    func fields() async throws {
        let request = try await request([
            "--method=DELETE", "--header", "X-A: 1", "--header", "X-B:a:b", "--range", "2-5",
        ])
        #expect(request.method == "DELETE")
        #expect(request["X-A"] == "1" && request["X-B"] == "a:b")
        #expect(request["Range"] == "bytes=2-5")
    }

    @Test("A body makes it a POST")
    func data() async throws {
        let request = try await request(["--data", "a=b"])
        #expect(request.method == "POST" && request.bodyText == "a=b")
    }

    @Test("A body may come from a file, and go with another method")
    func dataOfFile() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("body")
        try Data([0, 255, 10]).write(to: file)
        let request = try await request(["--data", "@\(file.path)", "--method", "PUT"])
        #expect(request.method == "PUT" && request.body == [0, 255, 10])
    }
}

// MARK: - --json-lines

extension TranscriptRequestTests {
    private func answers(_ questions: [String], _ options: [String] = []) async throws -> [String] {
        let program = try await Program(
            "transcript",
            ["--json-lines"] + options,
            input: questions.map { $0 + "\n" }.joined()
        )
        #expect(program.status == 0 && program.errors.isEmpty)
        return program.lines
    }

    @Test("Each line is answered by a line, and one that is no request by an error")
    func questions() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(200, ["X-A: \"1\""], body: "ä\n"),
            .waitForRequest, .respond(401, ["WWW-Authenticate: Basic realm=x"], body: "no"),
        ])
        let url = server.url("/f")
        let answers = try await answers([
            #"{"url":"\#(url)","method":"POST","headers":[["X-B","2"]],"body":"ü","#
                + #""cache":"no-store","redirect":"follow"}"#,
            "nonsense",
            "",
            #"{"method":"GET"}"#,
            #"{"url":"\#(url)","cache":"sometimes"}"#,
            #"{"url":"\#(url)","headers":[["X-B"]]}"#,
            #"{"url":"\#(url)","method":"GET","headers":[],"body":null}"#,
        ])
        #expect(
            answers == [
                #"{"status":200,"headers":[["Content-Length","3"],["X-A","\"1\""]],"body":"ä\n"}"#,
                #"{"error":"the line is no JSON"}"#,
                #"{"error":"the line is no JSON"}"#,
                #"{"error":"there is no url"}"#,
                #"{"error":"cache has no such value"}"#,
                #"{"error":"a header field is a list of two texts: its name and its value"}"#,
                #"{"status":401,"headers":[["Content-Length","2"],"#
                    + #"["WWW-Authenticate","Basic realm=x"]],"body":"no"}"#,
            ]
        )
        let requests = server.requests
        #expect(requests.map(\.method) == ["POST", "GET"])
        #expect(requests.first?["X-B"] == "2" && requests.first?.bodyText == "ü")
    }

    @Test("A redirect is followed, or is the answer where it is to be dealt with by hand")
    func redirects() async throws {
        let moved = ScriptStep.respond(307, ["Location: /b"], body: "moved")
        let answer = ScriptStep.respond(200, body: "ABCD")
        let server = try ScriptedServer([
            .waitForRequest, moved, .waitForRequest, moved, .waitForRequest, answer,
            .waitForRequest, moved, .waitForRequest, answer, .waitForRequest, answer,
        ])
        let url = server.url("/a")
        let answers = try await answers([
            #"{"url":"\#(url)","method":"POST","body":"x","redirect":"manual"}"#,
            #"{"url":"\#(url)","method":"POST","body":"x","redirect":"follow"}"#,
            #"{"url":"\#(url)"}"#,
            #"{"url":"\#(url)","redirect":"manual"}"#,
            #"{"url":"\#(url)","redirect":"error"}"#,
        ])
        let end = #"{"status":200,"headers":[["Content-Length","4"]],"body":"ABCD"}"#
        #expect(
            answers == [
                #"{"status":307,"headers":[["Content-Length","5"],["Location","/b"]],"body":"moved"}"#,
                end, end, end, #"{"error":"redirect has no such value"}"#,
            ]
        )
        #expect(server.requests.map(\.target) == ["/a", "/a", "/b", "/a", "/b", "/a"])
        #expect(server.requests.map(\.bodyText) == ["x", "x", "x", "", "", ""])
    }

    @Test("A load that fails is an error")
    func failures() async throws {
        let gone = try ScriptedServer([])
        gone.stop()
        let silent = try ScriptedServer([.waitForRequest, .hold])
        let answers = try await answers(
            [
                #"{"url":"\#(gone.url())"}"#,
                #"{"url":"\#(silent.url())"}"#,
                #"{"url":"gopher://127.0.0.1/"}"#,
            ],
            ["--timeout", "0.2"]
        )
        try #require(answers.count == 3)
        #expect(answers[0].hasPrefix(#"{"error":"NSURLErrorDomain -1004: "#))
        #expect(answers[1].hasPrefix(#"{"error":"NSURLErrorDomain -1001: "#))
        #expect(answers[2].hasPrefix(#"{"error":"NSURLErrorDomain -1002: "#))
    }
}
