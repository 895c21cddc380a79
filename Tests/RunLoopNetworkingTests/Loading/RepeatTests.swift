import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Requests that are repeated", .timeLimit(.minutes(1)))
struct RepeatTests {
    private let loop = TestLoop()

    /// Loads once so that a network connection is kept, then with `method`, which the server reads
    /// whole and answers by closing; a second network connection would be answered.
    private func loadOnClosing(_ method: String) async throws -> (RecordingDelegate, [String]) {
        let server = try ScriptedServer(
            [.waitForRequest, .respond(200, body: "1"), .waitForRequest, .finish],
            [.waitForRequest, .respond(200, body: "22")]
        )
        try await load(server.request("/1"), loop: loop.loop)
        var request = server.request("/2", method: method)
        if method == "POST" || method == "PUT" { request.httpBody = Data("body".utf8) }
        let delegate = try await load(request, loop: loop.loop)
        return (delegate, server.requests.map(\.method))
    }

    @Test(
        "Over HTTP/1.1 a request is repeated, once, when a kept network connection dies",
        arguments: ["GET", "HEAD", "PUT", "DELETE", "POST", "PATCH", "ODD"]
    )
    func repeated(method: String) async throws {
        let (delegate, methods) = try await loadOnClosing(method)
        let body: [TranscriptMessage] = method == "HEAD" ? [] : [.data(2)]
        #expect(delegate.transcript == [.response(200)] + body + [.finished])
        #expect(methods == ["GET", method, method])
    }
}
