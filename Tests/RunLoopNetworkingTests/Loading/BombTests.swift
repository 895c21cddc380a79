import EventLoops
import Foundation
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Bodies that expand", .timeLimit(.minutes(1)))
struct BombTests {
    /// 4 MiB of zeros.
    private static let member: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 1, 1, 0, 0, 0, 130, 32, 255, 175, 110, 72, 64]
        + [1] + [UInt8](repeating: 0, count: 4063) + [124, 27, 106, 64, 71, 17, 0, 0, 64, 0]

    private func server(_ body: [UInt8], gzip times: Int = 1) throws -> ScriptedServer {
        let codings = [String](repeating: "gzip", count: times).joined(separator: ", ")
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: \(codings)\r\nContent-Length: \(body.count)\r\n\r\n"
        return try ScriptedServer([.waitForRequest, .send(head), .send(body), .hold])
    }

    // B069
    @Test("However much a body expands, no more waits than the settings say")
    func waits() async throws {
        let members = 25
        let server = try server(Array([[UInt8]](repeating: Self.member, count: members).joined()))
        let test = TestLoop()
        let settings = test.loop.connectionSettings
        let most = Guarded(0)
        let delegate = RecordingDelegate(keepsBody: false) { message, _ in
            guard case .data = message else { return }
            // What this piece was decoded from lies in the kernel or in libcurl by now.
            try? turnLoopByLoading(test.loop)
            let waiting = Loader.of(test.loop).waitingBytes.now
            most.withLock { $0 = max($0, waiting) }
        }
        let connection = makeConnection(server.request(), delegate, loop: test.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(members << 22), .finished])
        let waiting = most.withLock { $0 }
        #expect(waiting > settings.waitingBytes / 2)
        #expect(waiting <= settings.waitingBytes + 1)
    }

    @Test("A delegate that blocks holds an expanding body back, and nobody else")
    func blocked() async throws {
        let server = try server(Self.member)
        let goOn = Gate()
        let delegate = RecordingDelegate { message, _ in
            if message == .response(200) { try? goOn.wait() }
        }
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.heard { $0 == .response(200) }
        let small = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "abc")])])
        for _ in 0..<10 {
            let other = try await load(small.request())
            #expect(other.transcript == [.response(200), .data(3), .finished])
        }
        #expect(delegate.transcript == [.response(200)])
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(4 << 20), .finished])
        #expect(delegate.body == Data(count: 4 << 20))
    }

    @Test("While its delegate is at work on decoded bytes, a load is not idle")
    func notIdle() async throws {
        let manual = ManualLoop()
        let server = try server(Self.member)
        let test = TestLoop(manual)
        let delegate = RecordingDelegate(keepsBody: false) { message, _ in
            guard case .data = message else { return }
            manual.advance(by: .seconds(50))
            try? turnLoopByLoading(test.loop)
            manual.advance(by: .seconds(50))
            try? turnLoopByLoading(test.loop)
        }
        let connection = makeConnection(server.request(), delegate, loop: test.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(4 << 20), .finished])
    }
}
