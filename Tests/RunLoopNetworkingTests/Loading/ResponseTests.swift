import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Response", .timeLimit(.minutes(1)))
struct ResponseTests {
    @Test("The response object says what the server said")
    func properties() async throws {
        let server = try ScriptedServer([
            .waitForRequest,
            .send(
                """
                HTTP/1.1 201 Made\r
                Content-Type: Text/Plain; Charset=UTF-8\r
                Content-Length: 3\r
                Content-Disposition: attachment; filename="../a b.txt"\r
                ETag:"v1"\r
                X-Tag: one\r
                x-tag: two\r
                \r
                abc
                """
            ),
        ])
        let delegate = try await load(server.request("/f"))
        let response = try #require(delegate.response)
        #expect(delegate.transcript == [.response(201), .data(3), .finished])
        #expect(response.url == server.url("/f"))
        #expect(response.mimeType == "text/plain")
        #expect(response.textEncodingName?.lowercased() == "utf-8")
        #expect(response.expectedContentLength == 3)
        #expect(response.suggestedFilename == "a b.txt")
        #expect(response.value(forHTTPHeaderField: "etag") == "\"v1\"")
        #expect(response.value(forHTTPHeaderField: "X-Tag") == "one, two")
    }

    @Test(
        "A status of 400 and above is an ordinary response",
        arguments: [400, 401, 404, 500, 599]
    )
    func errorStatus(status: Int) async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(status, body: "sorry")])
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(status), .data(5), .finished])
    }

    @Test("Interim responses are not told")
    func interim() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 100 Continue\r\n\r\n"),
            .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Early: 1\r\n\r\n"),
            .respond(200, body: "abc"),
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(delegate.response?.value(forHTTPHeaderField: "X-Early") == nil)
    }
}
