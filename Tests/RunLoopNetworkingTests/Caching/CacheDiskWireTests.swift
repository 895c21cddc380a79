import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("A cache's folder on the wire", .timeLimit(.minutes(1)))
struct CacheDiskWireTests {
    private let folder = FolderPlace()

    private func bench(memory: Int = 0, disk: Int = 10_000_000) -> CacheBench {
        CacheBench(memory: memory, disk: disk, folder: folder.url)
    }

    private static func steps(_ length: Int, _ fields: String...) -> [ScriptStep] {
        let lines = ["HTTP/1.1 200 X", "Content-Length: \(length)"] + fields
        return [
            .waitForRequest, .send(lines.joined(separator: "\r\n") + "\r\n\r\n"),
            .sendPattern(length),
        ]
    }

    @Test("What one program loads the next one finds in the folder", arguments: [5, 300_000])
    func again(length: Int) async throws {
        let server = try ScriptedServer(Self.steps(length, "Cache-Control: max-age=60"))
        let first = bench()
        try await first.load(server.request())
        first.cache.flush()
        for memory in [0, 100_000] {
            let next = bench(memory: memory)
            for _ in 1...2 {
                let delegate = try await next.load(server.request())
                #expect(delegate.transcript == [.response(200), .data(length), .finished])
                #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
            }
        }
        #expect(server.requests.count == 1)
        #expect(try folder.names.count == 1)
    }

    @Test("A file that is damaged is loaded anew", arguments: [5, 300_000])
    func damaged(length: Int) async throws {
        let steps = Self.steps(length, "Cache-Control: max-age=60")
        let server = try ScriptedServer(steps + steps)
        let first = bench()
        try await first.load(server.request())
        first.cache.flush()
        let file = try #require(try folder.files.first)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: file)
        let delegate = try await bench().load(server.request())
        #expect(delegate.transcript == [.response(200), .data(length), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        #expect(server.requests.count == 2)
    }

    @Test("A 304 makes the file fresh, for the next program as well", arguments: [5, 300_000])
    func validated(length: Int) async throws {
        let server = try ScriptedServer(
            Self.steps(length, "Cache-Control: max-age=10", "ETag: \"a\"") + [
                .waitForRequest,
                .send("HTTP/1.1 304 X\r\nCache-Control: max-age=1000\r\nX-A: 2\r\n\r\n"),
            ]
        )
        let first = bench()
        try await first.load(server.request())
        first.clock.advance(by: 11)
        let second = try await first.load(server.request())
        #expect(second.transcript == [.response(200), .data(length), .finished])
        first.cache.flush()
        let next = bench()
        next.clock.advance(by: 12)
        let third = try await next.load(server.request())
        #expect(third.transcript == [.response(200), .data(length), .finished])
        #expect(third.response?.value(forHTTPHeaderField: "X-A") == "2")
        #expect(CounterPattern.firstDifference(in: third.body) == nil)
        #expect(server.requests.count == 2)
        #expect(try folder.names.count == 1)
    }

    @Test("A body of unknown length that grows too large is given up, and nothing is left of it")
    func tooLarge() async throws {
        let server = try ScriptedServer(
            [
                .waitForRequest, .send("HTTP/1.1 200 X\r\nCache-Control: max-age=60\r\n\r\n"),
                .sendPattern(900_000), .finish,
            ]
        )
        let bench = bench()
        for _ in 1...2 {
            let delegate = try await bench.load(server.request())
            #expect(delegate.transcript == [.response(200), .data(900_000), .finished])
        }
        bench.cache.flush()
        #expect(server.requests.count == 2)
        #expect(try folder.names.isEmpty)
        #expect(bench.cache.recording.now == 0)
    }

    @Test("A load that fails, and one that is cancelled, leave no file")
    func unfinished() async throws {
        let head = "HTTP/1.1 200 X\r\nCache-Control: max-age=60\r\nContent-Length: 400000\r\n\r\n"
        let server = try ScriptedServer([
            .waitForRequest, .send(head), .sendPattern(300_000), .reset,
        ])
        let bench = bench()
        let delegate = try await bench.load(server.request())
        #expect(delegate.transcript.last == .failed(.networkConnectionLost))
        bench.cache.flush()
        #expect(try folder.names.isEmpty)
        #expect(bench.cache.recording.now == 0)
    }

    @Test("The shared cache has no folder")
    func sharedCache() {
        #expect(ConnectionSettings().responseCache == .shared)
        #expect(ResponseCache.shared.diskCapacity == 0)
        #expect(ResponseCache.shared.memoryCapacity == 4 << 20)
    }
}
