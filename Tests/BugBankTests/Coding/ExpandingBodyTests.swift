import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: bodies that expand", .timeLimit(.minutes(2)))
struct ExpandingBodyTests {
    private static func answer(members: Int, isClosed: Bool = false) -> [ScriptStep] {
        let body = Gzip.zeros(members: members)
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
        return [.send(head), .send(body)] + (isClosed ? [.finish] : [])
    }

    /// How large the largest piece of data was.
    private static func largest(_ delegate: RecordingDelegate) -> Int {
        delegate.messages.map { message in
            if case .data(let count) = message.message { count } else { 0 }
        }.max() ?? 0
    }

    // B069: what waits is counted in BombTests of RunLoopNetworkingTests.
    @Test("A megabyte that expands to a gigabyte arrives whole, in pieces of bounded size")
    func b069Bomb() async throws {
        try await withBench { bench in
            let delegate = RecordingDelegate(keepsBody: false)
            try await bench.load(Self.answer(members: 256), delegate)
            #expect(delegate.transcript == [.response(200), .data(1 << 30), .finished])
            #expect(Self.largest(delegate) <= 1 << 20)
        }
    }

    // B069
    @Test("A cancel after the first data ends a bomb at once", arguments: [false, true])
    func b069Cancel(isOnLoop: Bool) async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest] + Self.answer(members: 256))
            let delegate = RecordingDelegate { message, connection in
                if case .data = message { connection.cancel() }
            }
            if isOnLoop {
                let connection = bench.connection(server.request(), delegate)
                connection.setDelivery(.onLoop)
                connection.start()
            } else {
                bench.start(server.request(), delegate)
            }
            try await server.closedByClient(connections: 1)
            try await bench.queueHasRun()
            #expect(delegate.messages.count == 2)
        }
    }

    // B111
    @Test("A delegate that stops again and again gets every byte", arguments: [false, true])
    func b111Pauses(isClosed: Bool) async throws {
        try await withBench { bench in
            let stops = (0..<15).map { _ in (reached: Gate(), goOn: Gate()) }
            let received = Watermark(1)
            let next = Guarded(0)
            let delegate = RecordingDelegate(keepsBody: false) { message, _ in
                guard case .data(let count) = message, received.isReached(adding: count) else {
                    return
                }
                _ = received.isReached(adding: -(10 << 20))
                let index = next.withLock { next in
                    next += 1
                    return next - 1
                }
                guard index < stops.count else { return }
                stops[index].reached.open()
                try? stops[index].goOn.wait()
            }
            let server = try bench.serve(
                [.waitForRequest] + Self.answer(members: 50, isClosed: isClosed)
            )
            let connection = bench.connection(server.request(), delegate)
            connection.setDelegateQueue(DispatchQueue(label: "blocking delegate"))
            connection.start()
            for stop in stops {
                try await stop.reached.opened()
                try await bench.turnLoop()
                stop.goOn.open()
            }
            try await delegate.ended()
            #expect(
                delegate.transcript == [.response(200), .data(50 * Gzip.zeroCount), .finished]
            )
        }
    }
}
