import EventLoops
import NetworkingTestKit
import Testing

@testable import CurlTransfers

@Suite("The end of a multi handle", .timeLimit(.minutes(1)))
struct CloseTests {
    private func transfer(_ url: String, _ listener: Listener) -> HandedOver {
        HandedOver(TransferRequest(url: url), listener)
    }

    @Test("Closed, every transfer completes once, and later ones complete with the same code")
    func close() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold])
        let rig = Rig()
        let url = server.url().absoluteString
        let listeners = (0..<10).map { _ in Listener() }
        let transfers = listeners.map { transfer(url, $0) }
        try await rig.onLoop { multi in for transfer in transfers { multi.add(transfer.transfer) } }
        try await server.received(requests: 6)
        try await rig.onLoop { $0.close(with: .abortedByCallback) }
        let late = Listener()
        let refused = transfer(url, late)
        let callsInAdd = try await rig.onLoop { multi in
            multi.add(refused.transfer)
            return late.calls.count
        }
        #expect(callsInAdd == 0)
        for listener in listeners + [late] {
            try await listener.completed.opened()
            #expect(listener.calls.filter(\.isLast) == [.completed(.abortedByCallback)])
        }
        try await server.closedByClient(connections: 6)
        try await rig.end()
    }

    @Test("Closed inside a completion, every other transfer completes once")
    func closeInside() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let rig = Rig()
        let url = server.url().absoluteString
        let listeners = (0..<6).map { _ in
            Listener { [rig] call, _ in
                if call.isLast { rig.onLoopNow { $0.close(with: .abortedByCallback) } }
            }
        }
        let transfers = listeners.map { transfer(url, $0) }
        try await rig.onLoop { multi in for transfer in transfers { multi.add(transfer.transfer) } }
        for listener in listeners { try await listener.completed.opened() }
        try await rig.onLoop { _ in }
        for listener in listeners { #expect(listener.calls.count { $0.isLast } == 1) }
        try await rig.end()
    }

    @Test("A URL that libcurl refuses completes later, once")
    func badURL() async throws {
        let rig = Rig()
        let listener = Listener()
        let refused = transfer("http://[", listener)
        try await rig.onLoop { $0.add(refused.transfer) }
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .malformedURL)
        #expect(listener.calls.count { $0.isLast } == 1)
        try await rig.end()
    }

    /// A URL of more than eight million bytes is more than libcurl's options take.
    private static let tooLong = "http://127.0.0.1:1/" + String(repeating: "x", count: 8_100_000)

    @Test("A transfer that can't even be added completes once, closed in the same turn or not")
    func refused() async throws {
        let rig = Rig()
        let (listener, second, third) = (Listener(), Listener(), Listener())
        let first = transfer(Self.tooLong, listener)
        let removed = transfer(Self.tooLong, second)
        let callsInAdd = try await rig.onLoop { multi in
            multi.add(first.transfer)
            multi.add(removed.transfer)
            multi.remove(removed.transfer)
            return listener.calls.count
        }
        #expect(callsInAdd == 0)
        try await listener.completed.opened()
        #expect(listener.calls == [.completed(.malformedURL)])
        let closed = transfer(Self.tooLong, third)
        try await rig.onLoop { multi in
            multi.add(closed.transfer)
            multi.close(with: .abortedByCallback)
        }
        try await third.completed.opened()
        try await rig.onLoop { _ in }
        #expect(third.calls == [.completed(.abortedByCallback)])
        #expect(second.calls.isEmpty)
        try await rig.end()
    }

    @Test("Let go of with transfers under way, a multi handle ends in good order")
    func letGo() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold])
        let rig = Rig()
        let listener = Listener()
        let transfer = transfer(server.url().absoluteString, listener)
        try await rig.onLoop { $0.add(transfer.transfer) }
        try await server.received(requests: 1)
        try await rig.end()
        #expect(listener.completed.isOpen)
        try await server.closedByClient(connections: 1)
    }
}
