import CurlTransfers
import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("What an upload costs in memory", .timeLimit(.minutes(1)))
struct UploadMemoryTests {
    private static let size = 64 << 20

    /// The most memory that the process had at once, in bytes.
    private static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    /// Begins to measure anew.
    private static func forgetPeak() throws {
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    }

    private func upload(_ change: (inout URLRequest) -> Void) async throws -> Int {
        let server = try ScriptedServer([
            .waitForHead, .take(Self.size), .respond(200, body: "abc"),
        ])
        var request = server.request("/f", method: "POST")
        change(&request)
        try Self.forgetPeak()
        let before = Self.peak
        let test = TestLoop()
        let delegate = try await load(request, loop: test.loop)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        return Self.peak - before
    }

    @Test("A stream costs a few pieces, however long it is")
    func stream() async throws {
        let cost = try await upload { request in
            request.httpBodyStream = PatternStream(size: Self.size)
            request.setValue("\(Self.size)", forHTTPHeaderField: "Content-Length")
        }
        #expect(cost < 8 << 20)
    }

    @Test("Data that is there already is not copied")
    func data() async throws {
        let body = Data(count: Self.size)
        // Pages that were never touched are not there yet.
        #expect(body.reduce(into: 0) { $0 += Int($1) } == 0)
        let cost = try await upload { $0.httpBody = body }
        #expect(cost < 8 << 20)
    }

    @Test("A server that takes nothing stops the reading of the stream after a few pieces")
    func bounded() async throws {
        let never = Gate()
        let server = try ScriptedServer([.waitForHead, .waitFor(never)])
        let test = TestLoop()
        let stream = PatternStream(size: Self.size)
        let taken = stream.taken
        var request = server.request("/f", method: "POST", timeout: 0.5)
        request.httpBodyStream = stream
        let delegate = try await load(request, loop: test.loop)
        #expect(delegate.transcript == [.failed(.timedOut)])
        let sent = taken.count.withLock { $0 }
        // What the kernel's buffers hold on both sides, and what waits here.
        #expect(sent < 24 << 20)
        never.open()
    }
}
