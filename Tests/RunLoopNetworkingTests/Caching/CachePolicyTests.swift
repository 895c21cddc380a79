import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

// A table of what Apple's NSURLCache does with each policy, seen on Apple's systems: Alamofire's
// CacheTests.
@Suite("Cache policies", .timeLimit(.minutes(1)))
struct CachePolicyTests {
    enum Outcome: Sendable {
        case cache
        case network
        case failure
    }

    private let bench = CacheBench()

    private func expect(
        _ control: String,
        _ policy: URLRequest.CachePolicy,
        _ outcome: Outcome
    ) async throws {
        let fields = ["Cache-Control: \(control)"]
        let server = try CacheBench.server(
            .respond(200, fields, body: "first"),
            .respond(200, fields, body: "other one")
        )
        let first = try await bench.load(server.request())
        #expect(first.transcript == [.response(200), .data(5), .finished])
        let second = try await bench.load(server.request(), policy)
        switch outcome {
        case .cache:
            #expect(second.transcript == [.response(200), .data(5), .finished])
            #expect(second.body == Data("first".utf8))
        case .network:
            #expect(second.transcript == [.response(200), .data(9), .finished])
        case .failure:
            #expect(second.transcript == [.failed(.resourceUnavailable)])
            #expect(second.urlError?.failingURL == server.url())
        }
        #expect(server.requests.count == (outcome == .network ? 2 : 1))
    }

    private static let controls = [
        "public", "private", "max-age=3600", "max-age=0", "no-cache", "no-store",
    ]

    @Test("Everything but no-store is kept", arguments: controls)
    func stored(control: String) async throws {
        let server = try CacheBench.server(
            .respond(200, ["Cache-Control: \(control)"], body: "first")
        )
        let request = server.request()
        try await bench.load(request)
        let found = bench.cache.cachedResponse(for: request)
        #expect((found == nil) == (control == "no-store"))
        #expect(found.map { $0.data == Data("first".utf8) } ?? true)
    }

    @Test("The protocol's policy answers from the cache what is fresh", arguments: controls)
    func byProtocol(control: String) async throws {
        let isFresh = control == "max-age=3600"
        try await expect(control, .useProtocolCachePolicy, isFresh ? .cache : .network)
    }

    @Test("A reload goes to the origin", arguments: controls)
    func reload(control: String) async throws {
        try await expect(control, .reloadIgnoringLocalCacheData, .network)
        try await expect(control, .reloadIgnoringLocalAndRemoteCacheData, .network)
    }

    @Test("Data of any age, else a load", arguments: controls)
    func elseLoad(control: String) async throws {
        let isKept = control != "no-store"
        try await expect(control, .returnCacheDataElseLoad, isKept ? .cache : .network)
    }

    @Test("Data of any age, or a failure without a request", arguments: controls)
    func dontLoad(control: String) async throws {
        let isKept = control != "no-store"
        try await expect(control, .returnCacheDataDontLoad, isKept ? .cache : .failure)
    }

    @Test("A reload past the caches on the way says so, and one for the local cache alone does not")
    func reloadFields() async throws {
        let server = try CacheBench.server(.respond(), .respond(), .respond())
        try await bench.load(server.request(), .reloadIgnoringLocalCacheData)
        try await bench.load(server.request(), .reloadIgnoringLocalAndRemoteCacheData)
        try await bench.load(server.request())
        let fields = server.requests.map { [$0["Cache-Control"], $0["Pragma"]] }
        #expect(fields == [[nil, nil], ["no-cache", "no-cache"], [nil, nil]])
    }

    @Test("A reload that validates asks about what is fresh, too")
    func revalidate() async throws {
        let fields = ["Cache-Control: max-age=3600", "ETag: \"a\""]
        let server = try CacheBench.server(
            .respond(200, fields, body: "first"),
            .send("HTTP/1.1 304 X\r\nETag: \"a\"\r\n\r\n"),
            .respond(200, fields, body: "other one")
        )
        for length in [5, 5, 9] {
            let delegate = try await bench.load(server.request(), .reloadRevalidatingCacheData)
            #expect(delegate.transcript == [.response(200), .data(length), .finished])
        }
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"a\"", "\"a\""])
        #expect(
            server.requests.map { $0["Cache-Control"] } == ["max-age=0", "max-age=0", "max-age=0"]
        )
    }

    @Test("A reload brings what later loads are answered by")
    func reloadKeeps() async throws {
        let fields = ["Cache-Control: max-age=3600"]
        let server = try CacheBench.server(
            .respond(200, fields, body: "first"),
            .respond(200, fields, body: "other one")
        )
        try await bench.load(server.request())
        try await bench.load(server.request(), .reloadIgnoringLocalCacheData)
        #expect(try await bench.bodies(server.request()) == ["other one"])
        #expect(server.requests.count == 2)
    }

    @Test("Without a cache each load is a request, and data from a cache alone fails")
    func noCache() async throws {
        bench.loop.loop.connectionSettings.responseCache = nil
        let answer = ScriptStep.respond(200, ["Cache-Control: max-age=3600"], body: "x")
        let server = try CacheBench.server(answer, answer, answer)
        for _ in 1...2 { try await bench.load(server.request()) }
        try await bench.load(server.request(), .returnCacheDataElseLoad)
        let last = try await bench.load(server.request(), .returnCacheDataDontLoad)
        #expect(last.transcript == [.failed(.resourceUnavailable)])
        #expect(server.requests.count == 3)
        #expect(bench.cache.currentMemoryUsage == 0)
    }
}
