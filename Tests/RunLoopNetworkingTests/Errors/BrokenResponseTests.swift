import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Broken responses", .timeLimit(.minutes(1)))
struct BrokenResponseTests {
    private func check(
        _ steps: [ScriptStep],
        _ transcript: [TranscriptMessage],
        curl: Int?
    ) async throws {
        let server = try ScriptedServer([.waitForRequest] + steps)
        let delegate = try await load(server.request("/f"))
        #expect(delegate.transcript == transcript)
        #expect(delegate.faults.isEmpty)
        let error = try #require(delegate.urlError)
        #expect(error.failingURL == server.url("/f"))
        #expect(!error.localizedDescription.isEmpty)
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.code == curl)
    }

    @Test("A body of which nothing came is an empty resource")
    func nothingOfIt() async throws {
        try await check(
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .finish],
            [.response(200), .failed(.zeroByteResource)],
            curl: 18
        )
    }

    @Test("A chunked body of which nothing came is a lost connection")
    func noChunk() async throws {
        try await check(
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .finish],
            [.response(200), .failed(.networkConnectionLost)],
            curl: 18
        )
    }

    @Test("A head that is cut fails")
    func cutHead() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Le"), .finish,
        ])
        let delegate = try await load(server.request())
        #expect(delegate.transcript.count == 1)
        #expect(delegate.faults.isEmpty)
        #expect(delegate.urlError?.code == .networkConnectionLost)
    }
}
