import EventLoops
import NetworkingTestKit
import Testing

@testable import CurlTransfers

@Suite("Transfers", .timeLimit(.minutes(1)))
struct MultiHandleTests {
    private let answer: [ScriptStep] = [.forever([.waitForRequest, .respond(200, body: "abc")])]

    private func start(
        _ server: ScriptedServer,
        _ listener: Listener,
        on rig: Rig
    ) async throws -> HandedOver {
        let transfer = HandedOver(TransferRequest(url: server.url().absoluteString), listener)
        try await rig.onLoop { $0.add(transfer.transfer) }
        return transfer
    }

    @Test("A network connection is used again: the server sees one for many transfers")
    func keepAlive() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        for _ in 0..<20 {
            let listener = Listener()
            let transfer = try await start(server, listener, on: rig)
            try await listener.completed.opened()
            #expect(listener.outcome?.code == .ok)
            #expect(listener.bytes == Array("abc".utf8))
            #expect(listener.calls.first == .began)
            withExtendedLifetime(transfer) {}
        }
        #expect(server.connectionCount == 1)
        try await rig.end()
    }

    @Test("No more connections to a host are open than the limit allows")
    func limit() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig(connectionsPerHost: 2)
        let listeners = (0..<20).map { _ in Listener() }
        var transfers: [HandedOver] = []
        for listener in listeners { transfers.append(try await start(server, listener, on: rig)) }
        for listener in listeners {
            try await listener.completed.opened()
            #expect(listener.outcome?.code == .ok)
        }
        #expect(server.connectionCount <= 2)
        try await rig.end()
    }

    // B136
    @Test("When those that hold the places are removed, those that wait get them")
    func waiting() async throws {
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .waitFor(goOn),
            .respond(200, ["Connection: close"], body: "abc"), .finish,
        ])
        let rig = Rig(connectionsPerHost: 2)
        let listeners = (0..<10).map { _ in Listener() }
        var transfers: [HandedOver] = []
        for listener in listeners { transfers.append(try await start(server, listener, on: rig)) }
        try await server.received(requests: 2)
        let removed = [0, 1, 5]
        try await rig.onLoop { [transfers] multi in
            for index in removed { multi.remove(transfers[index].transfer) }
        }
        goOn.open()
        for index in listeners.indices where !removed.contains(index) {
            try await listeners[index].completed.opened()
            #expect(listeners[index].outcome?.code == .ok)
        }
        for index in removed { #expect(!listeners[index].completed.isOpen) }
        try await rig.end()
    }

    // B097, B151
    @Test(
        "Removed inside any of its calls, a transfer is not heard of again, and its socket closes",
        arguments: [.began, .progress, .line, .asked, .data] as [Listener.Call]
    )
    func removeInside(call: Listener.Call) async throws {
        let server = try ScriptedServer(
            [
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"),
                .sendPattern(100_000), .hold,
            ],
            answer
        )
        let rig = Rig()
        let listener = Listener { [rig] heard, transfer in
            if heard == call { rig.removeNow(transfer) }
        }
        let transfer = try await start(server, listener, on: rig)
        try await server.closedByClient(connections: 1)
        let (last, count) = try await rig.onLoop { (listener.calls.last, $0.count) }
        #expect(last == call)
        #expect(count == 0)
        let next = Listener()
        let other = try await start(server, next, on: rig)
        try await next.completed.opened()
        #expect(next.outcome?.code == .ok)
        withExtendedLifetime((transfer, other)) {}
        try await rig.end()
    }

    @Test("Removed inside its completion, a transfer is as complete as before")
    func removeInsideCompletion() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let listener = Listener { [rig] heard, transfer in
            if heard.isLast { rig.removeNow(transfer) }
        }
        let transfer = try await start(server, listener, on: rig)
        try await listener.completed.opened()
        let count = try await rig.onLoop { $0.count }
        #expect(count == 0)
        #expect(listener.calls.count { $0.isLast } == 1)
        withExtendedLifetime(transfer) {}
        try await rig.end()
    }

    // B151
    @Test("Transfers may be added inside every call of another")
    func addInside() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let others = (0..<4).map { _ in Listener() }
        let url = server.url().absoluteString
        let added = others.map { HandedOver(TransferRequest(url: url), $0) }
        let calls: [Listener.Call] = [.began, .asked, .data, .completed(.ok)]
        let listener = Listener { [rig] heard, _ in
            guard let index = calls.firstIndex(of: heard) else { return }
            rig.addNow(added[index].transfer)
        }
        let transfer = try await start(server, listener, on: rig)
        for listener in [listener] + others {
            try await listener.completed.opened()
            #expect(listener.outcome?.code == .ok)
        }
        withExtendedLifetime(transfer) {}
        try await rig.end()
    }

    @Test("A hundred transfers added and removed in one turn leave nothing behind")
    func hundred() async throws {
        let server = try ScriptedServer(answer)
        let rig = Rig()
        let url = server.url().absoluteString
        let listeners = (0..<100).map { _ in Listener() }
        let transfers = listeners.map { HandedOver(TransferRequest(url: url), $0) }
        let count = try await rig.onLoop { multi in
            for transfer in transfers { multi.add(transfer.transfer) }
            for transfer in transfers { multi.remove(transfer.transfer) }
            for transfer in transfers { multi.remove(transfer.transfer) }
            return multi.count
        }
        #expect(count == 0)
        let last = Listener()
        let transfer = try await start(server, last, on: rig)
        try await last.completed.opened()
        #expect(last.outcome?.code == .ok)
        try await rig.onLoop { _ in }
        #expect(listeners.allSatisfy { $0.calls.isEmpty || $0.calls == [.began] })
        withExtendedLifetime(transfer) {}
        try await rig.end()
    }

    @Test("Sockets that are closed and opened again under the same number stay right")
    func reusedDescriptors() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(200, ["Connection: close"], body: "abc"), .finish,
        ])
        let rig = Rig()
        for _ in 0..<30 {
            let listeners = (0..<5).map { _ in Listener() }
            var transfers: [HandedOver] = []
            for listener in listeners {
                transfers.append(try await start(server, listener, on: rig))
            }
            for listener in listeners {
                try await listener.completed.opened()
                #expect(listener.outcome?.code == .ok)
                #expect(listener.bytes == Array("abc".utf8))
            }
        }
        #expect(server.connectionCount == 150)
        try await rig.end()
    }

    @Test("A transfer may be added only once, and only on the loop")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            let rig = Rig()
            let transfer = HandedOver(TransferRequest(url: "http://127.0.0.1:1/"), Listener())
            try? await rig.onLoop { multi in
                multi.add(transfer.transfer)
                multi.add(transfer.transfer)
            }
        }
        await #expect(processExitsWith: .failure) {
            let loop = EventLoop()
            let limits = TransferLimits(connectionsPerHost: 1, connections: 1)
            _ = MultiHandle(loop: loop, pool: SlabPool(), limits: limits)
        }
    }
}

extension Rig {
    /// Removes a transfer, on the loop.
    func removeNow(_ transfer: Transfer) {
        onLoopNow { $0.remove(transfer) }
    }

    /// Adds a transfer, on the loop.
    func addNow(_ transfer: Transfer) {
        onLoopNow { $0.add(transfer) }
    }
}
