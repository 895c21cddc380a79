import ContentCodings
import EventLoops
import NetworkingTestKit
import Testing

@testable import CurlTransfers

@Suite("Transfers that are decoded", .timeLimit(.minutes(1)))
struct DecodingTests {
    /// How many zeros a member stands for.
    private static let zeroCount = 4 << 20
    private static let member: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 1, 1, 0, 0, 0, 130, 32, 255, 175, 110, 72, 64]
        + [1] + [UInt8](repeating: 0, count: 4063) + [124, 27, 106, 64, 71, 17, 0, 0, 64, 0]

    /// How a body is framed, and what the server does behind it.
    enum Framing: CaseIterable {
        case length
        case lengthAndClose
        case close
        case chunks
    }

    private func server(_ body: [UInt8], _ framing: Framing = .length) throws -> ScriptedServer {
        let head = "HTTP/1.1 200 OK\r\n"
        let length = head + "Content-Length: \(body.count)\r\n\r\n"
        var steps: [ScriptStep] = [.waitForRequest]
        switch framing {
        case .length: steps += [.send(length), .send(body), .hold]
        case .lengthAndClose: steps += [.send(length), .send(body), .finish]
        case .close: steps += [.send(head + "\r\n"), .send(body), .finish]
        case .chunks:
            steps.append(.send(head + "Transfer-Encoding: chunked\r\n\r\n"))
            for start in stride(from: 0, to: body.count, by: 100) {
                let chunk = Array(body[start..<min(start + 100, body.count)])
                steps += [
                    .send("\(String(chunk.count, radix: 16))\r\n"), .send(chunk), .send("\r\n"),
                ]
            }
            steps += [.send("0\r\n\r\n"), .hold]
        }
        return try ScriptedServer(steps)
    }

    private func start(
        _ server: ScriptedServer,
        _ listener: Listener,
        on rig: Rig
    ) async throws -> HandedOver {
        let transfer = HandedOver(TransferRequest(url: server.url().absoluteString), listener)
        try await rig.onLoop { multi in
            transfer.transfer.decode([.gzip])
            multi.add(transfer.transfer)
        }
        return transfer
    }

    @Test("Nothing is offered in more than 16 KiB, and all of it comes")
    func steps() async throws {
        let server = try server(Self.member)
        let rig = Rig()
        let listener = Listener()
        let transfer = try await start(server, listener, on: rig)
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .ok)
        #expect(listener.bytes.count == Self.zeroCount)
        #expect(listener.calls.count { $0 == .data } >= Self.zeroCount >> 14)
        withExtendedLifetime(transfer) {}
        try await rig.end()
    }

    // B111
    @Test(
        "Paused at every other piece, all bytes come once, also when libcurl is done long before",
        arguments: Framing.allCases,
        [2, 3, 250]
    )
    func pauses(framing: Framing, period: Int) async throws {
        let server = try server(Self.member + Self.member, framing)
        let rig = Rig()
        let listener = Listener()
        listener.answer = { $0.calls.count { $0 == .asked } % period == 1 ? .pause : .take }
        let transfer = try await start(server, listener, on: rig)
        while !listener.completed.isOpen {
            try await rig.onLoop { $0.resume(transfer.transfer) }
        }
        #expect(listener.outcome?.code == .ok)
        #expect(listener.bytes.count == 2 * Self.zeroCount)
        #expect(listener.calls.count { $0.isLast } == 1)
        try await rig.end()
    }

    @Test("While bytes are held back a transfer does not complete, but its connection is free")
    func connectionIsFree() async throws {
        let body = Self.member
        let server = try ScriptedServer([
            .forever([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"),
                .send(body),
            ])
        ])
        let rig = Rig(connectionsPerHost: 1)
        let held = Listener()
        held.answer = { $0.paused.isOpen ? .take : .pause }
        let first = try await start(server, held, on: rig)
        try await held.paused.opened()
        let other = Listener()
        let second = try await start(server, other, on: rig)
        try await other.completed.opened()
        #expect(other.bytes.count == Self.zeroCount)
        let completed = try await rig.onLoop { _ in held.outcome }
        #expect(completed == nil)
        try await rig.onLoop { $0.resume(first.transfer) }
        try await held.completed.opened()
        #expect(held.outcome?.code == .ok)
        #expect(held.bytes.count == Self.zeroCount)
        #expect(server.connectionCount == 1)
        withExtendedLifetime(second) {}
        try await rig.end()
    }

    @Test("What a resume finds broken, missing or unwanted completes the transfer then")
    func badEnds() async throws {
        var broken = Self.member
        broken[4090] ^= 1
        let cut = Array(Self.member.dropLast(8))
        for (body, answer, code) in [
            (broken, ReceiveAnswer.take, CurlCode.badContentEncoding),
            (cut, .take, .badContentEncoding), (Self.member, .stop, .writeError),
        ] {
            for framing in Framing.allCases {
                let server = try server(body, framing)
                let rig = Rig()
                let listener = Listener()
                listener.answer = { $0.paused.isOpen ? answer : .pause }
                let transfer = try await start(server, listener, on: rig)
                try await listener.paused.opened()
                try await rig.onLoop { $0.resume(transfer.transfer) }
                try await listener.completed.opened()
                #expect(listener.outcome?.code == code)
                #expect(listener.bytes.count == (answer == .stop ? 0 : Self.zeroCount))
                #expect(listener.calls.count { $0.isLast } == 1)
                try await rig.end()
            }
        }
    }

    // B150
    @Test("A server that goes away before the end is heard of when all that came is delivered")
    func lost() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"),
            .send(Self.member), .finish,
        ])
        let rig = Rig()
        let listener = Listener()
        listener.answer = { $0.paused.isOpen ? .take : .pause }
        let transfer = try await start(server, listener, on: rig)
        try await listener.paused.opened()
        try await rig.onLoop { $0.resume(transfer.transfer) }
        try await listener.completed.opened()
        #expect(listener.outcome?.code == .partialFile)
        #expect(listener.bytes.count == Self.zeroCount)
        try await rig.end()
    }

    @Test("Removed while bytes are held back, in a resume too, a transfer is not heard of again")
    func removed() async throws {
        for isInResume in [false, true] {
            let server = try server(Self.member)
            let rig = Rig()
            let listener = Listener { [rig] call, transfer in
                if isInResume, call == .data { rig.onLoopNow { $0.remove(transfer) } }
            }
            listener.answer = { $0.paused.isOpen ? .take : .pause }
            let transfer = try await start(server, listener, on: rig)
            try await listener.paused.opened()
            let calls = try await rig.onLoop { multi in
                if !isInResume { multi.remove(transfer.transfer) }
                multi.resume(transfer.transfer)
                let calls = listener.calls.count
                multi.resume(transfer.transfer)
                return calls
            }
            try await rig.onLoop { _ in }
            #expect(listener.calls.count == calls)
            #expect(listener.bytes.count == (isInResume ? 16 << 10 : 0))
            #expect(listener.outcome == nil)
            try await rig.end()
        }
    }

    @Test("A loop that is shut down completes a transfer of which bytes are held back")
    func closed() async throws {
        let server = try server(Self.member)
        let rig = Rig()
        let listener = Listener()
        listener.answer = { _ in .pause }
        let transfer = try await start(server, listener, on: rig)
        try await listener.paused.opened()
        try await rig.onLoop { $0.close(with: .abortedByCallback) }
        #expect(listener.outcome?.code == .abortedByCallback)
        withExtendedLifetime(transfer) {}
        try await rig.end()
    }
}
