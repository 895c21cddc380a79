import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: cache", .timeLimit(.minutes(1)))
struct CacheTests {
    private static let first = ScriptStep.send(
        "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nCache-Control: max-age=1\r\nContent-Length: 5\r\n\r\nfirst"
    )

    private static let notModified = ScriptStep.send(
        "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nCache-Control: max-age=60\r\n\r\n"
    )

    private static func server(_ bench: Bench, _ answers: ScriptStep...) throws -> ScriptedServer {
        try bench.serve(answers.flatMap { [.waitForRequest, $0] })
    }

    private static func withCache(
        disk: Bool = false,
        _ body: (Bench, URL) async throws -> Void
    ) async throws {
        let folder = try SaveFolder()
        try await withBench { bench in
            bench.loop.connectionSettings.responseCache = ResponseCache(
                memoryCapacity: 1 << 20,
                diskCapacity: disk ? 1 << 20 : 0,
                directory: folder.url
            )
            try await body(bench, folder.url)
        }
    }

    // B059: the response says that it is two seconds old already, in the place of a wait.
    @Test(
        "A 304 makes the kept response fresh and is never delivered itself",
        arguments: [false, true]
    )
    func b059FreshenedByNotModified(disk: Bool) async throws {
        try await Self.withCache(disk: disk) { bench, _ in
            let old = ScriptStep.send(
                "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nCache-Control: max-age=1\r\nAge: 2\r\n"
                    + "Content-Length: 5\r\n\r\nfirst"
            )
            let server = try Self.server(bench, old, Self.notModified)
            for _ in 1...3 {
                let delegate = try await bench.load(server.request("/f"))
                #expect(delegate.transcript == [.response(200), .data(5), .finished])
                #expect(delegate.body == Data("first".utf8))
            }
            #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"v1\""])
        }
    }

    // B059
    @Test("A 304 to the caller's own condition reaches the caller")
    func b059OwnCondition() async throws {
        try await Self.withCache { bench, _ in
            let server = try Self.server(bench, Self.first, Self.notModified)
            try await bench.load(server.request("/f"))
            let own = server.request("/f", fields: ["If-None-Match": "\"v1\""])
            #expect(try await bench.load(own).transcript == [.response(304), .finished])
        }
    }

    // B059
    @Test("Without a cache each load is a plain 200")
    func b059NoCache() async throws {
        try await withBench { bench in
            bench.loop.connectionSettings.responseCache = nil
            let server = try Self.server(bench, Self.first, Self.first, Self.first)
            for _ in 1...3 {
                let delegate = try await bench.load(server.request("/f"))
                #expect(delegate.transcript == [.response(200), .data(5), .finished])
            }
            #expect(server.requests.map { $0["If-None-Match"] } == [nil, nil, nil])
        }
    }

    private static func isWritten(_ text: String, in folder: URL) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
            let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }

    // B061
    @Test("no-store is loaded each time, and is not on the disk")
    func b061NoStore() async throws {
        try await Self.withCache(disk: true) { bench, folder in
            let secret = ScriptStep.respond(200, ["Cache-Control: no-store"], body: "secret")
            let server = try Self.server(bench, secret, secret)
            for _ in 1...2 {
                let delegate = try await bench.load(server.request("/f"))
                #expect(delegate.transcript == [.response(200), .data(6), .finished])
            }
            bench.loop.connectionSettings.responseCache?.flush()
            #expect(try !Self.isWritten("secret", in: folder))
            #expect(server.requests.count == 2)
        }
    }

    // B061
    @Test("private is kept, on the disk as well; so is an answer to Authorization, for it alone")
    func b061Private() async throws {
        try await Self.withCache(disk: true) { bench, folder in
            func answer(_ text: String) -> ScriptStep {
                .respond(200, ["Cache-Control: private, max-age=60"], body: text)
            }
            let server = try Self.server(bench, answer("mine"), answer("ours"))
            for _ in 1...2 {
                let mine = server.request("/f", fields: ["Authorization": "Basic dTpw"])
                #expect(try await bench.load(mine).body == Data("mine".utf8))
                #expect(try await bench.load(server.request("/f")).body == Data("ours".utf8))
            }
            bench.loop.connectionSettings.responseCache?.flush()
            #expect(try Self.isWritten("mine", in: folder))
            #expect(try !Self.isWritten("dTpw", in: folder))
            #expect(server.requests.count == 2)
        }
    }

    // B061
    @Test("Vary: one request for each variant", arguments: [false, true])
    func b061Vary(disk: Bool) async throws {
        try await Self.withCache(disk: disk) { bench, _ in
            func answer(_ text: String) -> ScriptStep {
                .respond(200, ["Cache-Control: max-age=60", "Vary: Accept-Language"], body: text)
            }
            let server = try Self.server(bench, answer("hallo"), answer("hello"))
            for _ in 1...2 {
                for (language, text) in [("de", "hallo"), ("en", "hello")] {
                    let request = server.request("/f", fields: ["Accept-Language": language])
                    #expect(try await bench.load(request).body == Data(text.utf8))
                }
            }
            #expect(server.requests.map { $0["Accept-Language"] } == ["de", "en"])
        }
    }

    // B061
    @Test(
        "A 301 without freshness is asked for each time, and its target may change",
        arguments: [301, 404]
    )
    func b061NothingSticks(status: Int) async throws {
        try await Self.withCache(disk: true) { bench, _ in
            let server = try Self.server(
                bench,
                .respond(status, ["Location: /a"], body: "x"),
                .respond(200, body: "a"),
                .respond(status, ["Location: /b"], body: "x"),
                .respond(200, body: "b")
            )
            if status == 301 {
                #expect(try await bench.load(server.request("/f")).body == Data("a".utf8))
                #expect(try await bench.load(server.request("/f")).body == Data("b".utf8))
                #expect(server.requests.map(\.target) == ["/f", "/a", "/f", "/b"])
            } else {
                let first = try await bench.load(server.request("/f"))
                #expect(first.transcript == [.response(404), .data(1), .finished])
                #expect(try await bench.load(server.request("/f")).body == Data("a".utf8))
            }
        }
    }
}
