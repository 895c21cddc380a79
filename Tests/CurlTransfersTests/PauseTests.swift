import EventLoops
import NetworkingTestKit
import Testing

@testable import CurlTransfers

@Suite("Paused transfers", .timeLimit(.minutes(1)))
struct PauseTests {
    private static let size = 200_000

    private func server(end: ScriptStep = .hold) throws -> ScriptedServer {
        try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n"),
            .sendPattern(Self.size), end,
        ])
    }

    private func start(
        _ server: ScriptedServer,
        _ listener: Listener,
        on rig: Rig
    ) async throws -> HandedOver {
        let transfer = HandedOver(TransferRequest(url: server.url().absoluteString), listener)
        try await rig.onLoop { $0.add(transfer.transfer) }
        return transfer
    }

    // B149
    @Test(
        "Resumed, a transfer goes on although nothing else wakes the loop",
        arguments: [false, true]
    )
    func resume(isClosed: Bool) async throws {
        let server = try server(end: isClosed ? .finish : .hold)
        let rig = Rig()
        let listener = Listener()
        listener.answer = { $0.paused.isOpen ? .take : .pause }
        let transfer = try await start(server, listener, on: rig)
        try await listener.paused.opened()
        let (isPaused, byteCount) = try await rig.onLoop { _ in
            (transfer.transfer.isPaused, listener.bytes.count)
        }
        #expect(isPaused)
        #expect(byteCount == 0)
        try await rig.onLoop { $0.resume(transfer.transfer) }
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .ok)
        #expect(listener.bytes.count == Self.size)
        #expect(CounterPattern.firstDifference(in: listener.bytes) == nil)
        try await rig.end()
    }

    @Test("Paused at every second piece, all bytes come in order")
    func often() async throws {
        let server = try server()
        let rig = Rig()
        let listener = Listener()
        listener.answer = { $0.calls.count { $0 == .asked } % 2 == 0 ? .take : .pause }
        let transfer = try await start(server, listener, on: rig)
        while !listener.completed.isOpen {
            try await rig.onLoop { $0.resume(transfer.transfer) }
        }
        #expect(listener.outcome?.code == .ok)
        #expect(listener.bytes.count == Self.size)
        #expect(CounterPattern.firstDifference(in: listener.bytes) == nil)
        try await rig.end()
    }

    @Test("Removed while it is paused, a transfer is not heard of again, and its socket closes")
    func remove() async throws {
        let server = try server()
        let rig = Rig()
        let listener = Listener()
        listener.answer = { _ in .pause }
        let transfer = try await start(server, listener, on: rig)
        try await listener.paused.opened()
        let calls = try await rig.onLoop { multi in
            multi.remove(transfer.transfer)
            // Too late: nothing happens.
            multi.resume(transfer.transfer)
            return listener.calls.count
        }
        try await server.closedByClient(connections: 1)
        try await rig.onLoop { $0.resume(transfer.transfer) }
        #expect(listener.calls.count == calls)
        try await rig.end()
    }

    @Test("Resuming one that is not paused does nothing")
    func resumeRunning() async throws {
        let server = try server()
        let rig = Rig()
        let listener = Listener { [rig] call, transfer in
            if call == .line || call == .data { rig.onLoopNow { $0.resume(transfer) } }
        }
        let transfer = try await start(server, listener, on: rig)
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .ok)
        #expect(CounterPattern.firstDifference(in: listener.bytes) == nil)
        withExtendedLifetime(transfer) {}
        try await rig.end()
    }

    @Test(
        "A transfer that is stopped when it goes on completes all the same",
        arguments: [5, size]
    )
    func stopOnResume(size: Int) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n"),
            .sendPattern(size),
        ])
        let rig = Rig()
        let listener = Listener()
        listener.answer = { $0.paused.isOpen ? .stop : .pause }
        let transfer = try await start(server, listener, on: rig)
        try await listener.paused.opened()
        try await rig.onLoop { $0.resume(transfer.transfer) }
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .writeError)
        #expect(listener.bytes.isEmpty)
        try await rig.end()
    }

    @Test("What is discarded is not told, and what is stopped ends the transfer")
    func answers() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n"
        let server = try ScriptedServer([
            .forever([.waitForRequest, .send(head), .sendPattern(Self.size)])
        ])
        let rig = Rig()
        let discarding = Listener()
        discarding.answer = { _ in .discard }
        let first = try await start(server, discarding, on: rig)
        try await discarding.completed.opened()
        #expect(discarding.outcome?.code == .ok)
        #expect(discarding.bytes.isEmpty)
        let stopping = Listener()
        stopping.answer = { _ in .stop }
        let second = try await start(server, stopping, on: rig)
        try await stopping.completed.opened()
        #expect(stopping.outcome?.code == .writeError)
        withExtendedLifetime((first, second)) {}
        try await rig.end()
    }

    // B150
    @Test("A server that goes away while a transfer is paused is heard of when it goes on")
    func resetWhilePaused() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCD"),
            .finish,
        ])
        let rig = Rig()
        let listener = Listener()
        listener.answer = { $0.paused.isOpen ? .take : .pause }
        let transfer = try await start(server, listener, on: rig)
        try await listener.paused.opened()
        try await rig.onLoop { $0.resume(transfer.transfer) }
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .partialFile)
        #expect(listener.bytes == Array("ABCD".utf8))
        try await rig.end()
    }
}
