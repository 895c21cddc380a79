import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: time-outs", .timeLimit(.minutes(1)))
struct TimeOutTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"

    // B090: nothing but the loop's own timer can wake the loop.
    @Test(
        "A server that falls silent is given up, wherever it stops",
        arguments: [
            ("", []), ("HTTP/1.1 200 OK\r\n", []), (Self.head, [.response(200)]),
            (Self.head + "12345", [.response(200), .data(5)]),
        ] as [(String, [TranscriptMessage])]
    )
    func b090FallsSilent(sent: String, heard: [TranscriptMessage]) async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, .send(sent), .hold])
            let begin = ContinuousClock.now
            let delegate = try await bench.load(server.request("/f", timeout: 0.3))
            #expect(ContinuousClock.now - begin >= .milliseconds(300))
            #expect(delegate.transcript == heard + [.failed(.timedOut)])
            #expect(delegate.urlError?.failingURL == server.url("/f"))
            #expect(delegate.body == Data("12345".utf8.prefix(sent.hasSuffix("12345") ? 5 : 0)))
            try await server.closedByClient(connections: 1)
        }
    }

    // B090
    @Test("A server that does not take the connection is given up")
    func b090NeverAccepts() async throws {
        try await withBench { bench in
            let listener = try #require(FullListener())
            let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/f"))
            let delegate = try await bench.load(URLRequest(url: url, timeoutInterval: 0.3))
            #expect(delegate.transcript == [.failed(.timedOut)])
            withExtendedLifetime(listener) {}
        }
    }

    // B091
    @Test("A slow but living load is not given up, however long it takes")
    func b091SlowButAlive() async throws {
        let manual = ManualLoop()
        try await withBench(on: manual) { bench in
            let gates = (0..<10).map { _ in Gate() }
            let pieces = gates.flatMap { [.waitFor($0), .send("x")] as [ScriptStep] }
            let server = try bench.serve([.waitForRequest, .send(Self.head)] + pieces)
            let delegate = RecordingDelegate()
            bench.start(server.request("/f", timeout: 1_000), delegate)
            try await delegate.heard { $0 == .response(200) }
            for (index, gate) in gates.enumerated() {
                manual.advance(by: .seconds(900))
                gate.open()
                try await delegate.heard(count: index + 2)
            }
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(10), .finished])
        }
    }

    // B093
    @Test("The clock of a load on a reused network connection starts with that load")
    func b093ClockStartsAnew() async throws {
        let manual = ManualLoop()
        try await withBench(on: manual) { bench in
            let goOn = Gate()
            let server = try bench.serve([
                .waitForRequest, .respond(200, body: "ok"),
                .waitForRequest, .waitFor(goOn), .respond(200, body: "more"),
            ])
            try await bench.load(server.request("/f", timeout: 1_000))
            manual.advance(by: .seconds(3_000))
            let delegate = RecordingDelegate()
            bench.start(server.request("/f", timeout: 1_000), delegate)
            try await server.received(requests: 2)
            manual.advance(by: .seconds(900))
            try await bench.turnLoop()
            goOn.open()
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(4), .finished])
            #expect(server.connectionCount == 1)
        }
    }

    // B095
    @Test("A body that does not go out any more is given up, without a hidden minimum")
    func b095UploadStops() async throws {
        try await withBench { bench in
            let never = Gate()
            let server = try bench.serve([.waitForHead, .take(65_536), .waitFor(never)])
            var request = server.request("/f", method: "POST", timeout: 0.5)
            request.httpBody = Data(CounterPattern.bytes(count: 24 << 20))
            let delegate = try await bench.load(request)
            #expect(delegate.transcript == [.failed(.timedOut)])
            never.open()
        }
    }

    // B095: what the kernel holds goes out unseen, so a body is sent that is far larger.
    @Test("A body that goes out slowly is not given up while it moves")
    func b095UploadMoves() async throws {
        let manual = ManualLoop()
        try await withBench(on: manual) { bench in
            let (piece, count, size) = (1 << 20, 12, 24 << 20)
            let taken = (0..<count).map { _ in Gate() }
            let goOn = (0..<count).map { _ in Gate() }
            let steps = zip(taken, goOn).flatMap { taken, goOn in
                [.take(piece), .open(taken), .waitFor(goOn)] as [ScriptStep]
            }
            let server = try bench.serve(
                [.waitForHead] + steps + [.take(size - count * piece), .respond(200, body: "ok")]
            )
            var request = server.request("/f", method: "POST", timeout: 1_000)
            request.httpBody = Data(CounterPattern.bytes(count: size))
            let delegate = RecordingDelegate()
            bench.start(request, delegate)
            for (taken, goOn) in zip(taken, goOn) {
                try await taken.opened()
                try await bench.turnLoop()
                manual.advance(by: .seconds(300))
                goOn.open()
            }
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(2), .finished])
        }
    }
}
