import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What nginx says of freshness and validators, and what it is asked then.
@Suite("nginx: cache", .timeLimit(.minutes(2)))
struct NginxCacheTests {
    private let nginx: Nginx
    private let loop = LoadingLoop()
    private let text = Data(String(repeating: "hello ", count: 500).utf8)

    init() throws {
        nginx = try Nginx()
        try nginx.put("a.txt", text)
        loop.loop.connectionSettings.responseCache = ResponseCache(memoryCapacity: 1 << 20)
    }

    private func load(_ path: String) async throws -> RecordingDelegate {
        try await loop.load(nginx.url.appendingPathComponent(path))
    }

    @Test("With an expiry ahead the second load makes no request; the gzip is decoded once")
    func fresh() async throws {
        for _ in 1...3 {
            let delegate = try await load("fresh/a.txt")
            #expect(delegate.transcript == [.response(200), .data(3_000), .finished])
            #expect(delegate.body == text)
            let response = try #require(delegate.response)
            #expect(response.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
            #expect(response.expectedContentLength == -1)
        }
        _ = try await load("a.txt")
        #expect(try nginx.accessLog == ["GET /fresh/a.txt 200"])
    }

    @Test("With an expiry behind each further load costs a 304, until the file is another one")
    func stale() async throws {
        for _ in 1...3 {
            let delegate = try await load("stale/a.txt")
            #expect(delegate.transcript == [.response(200), .data(3_000), .finished])
            #expect(delegate.body == text)
        }
        try nginx.put("a.txt", Data("changed".utf8))
        let changed = try await load("stale/a.txt")
        #expect(changed.transcript == [.response(200), .data(7), .finished])
        _ = try await load("a.txt")
        #expect(
            try nginx.accessLog == [
                "GET /stale/a.txt 200", "GET /stale/a.txt 304", "GET /stale/a.txt 304",
                "GET /stale/a.txt 200",
            ]
        )
    }
}
