import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// A load pauses while its delegate has not taken what there is room for.
@Suite("Bug bank: pauses", .timeLimit(.minutes(1)))
struct PauseTests {
    // B149
    @Test(
        "A paused load of which the kernel has all bytes goes on when the delegate does",
        arguments: [true, false],
        [false, true]
    )
    func b149GoesOnByItself(isInResponse: Bool, closes: Bool) async throws {
        try await withBench { bench in
            let (sent, isBlocked, goOn) = (Gate(), Gate(), Gate())
            let size = 200_000
            let server = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
                .sendPattern(1), .waitFor(isBlocked), .sendPattern(size - 1, from: 1), .open(sent),
                closes ? .finish : .hold,
            ])
            bench.loop.connectionSettings.waitingBytes = 50_000
            let delegate = RecordingDelegate { message, _ in
                guard (message == .response(200)) == isInResponse, !isBlocked.isOpen else { return }
                isBlocked.open()
                try? goOn.wait()
            }
            bench.start(server.request("/f"), delegate)
            try await sent.opened()
            try await bench.turnLoop()
            #expect(delegate.messages.count == (isInResponse ? 1 : 2))
            goOn.open()
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(size), .finished])
            #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        }
    }

    // B149
    @Test("Paused and resumed more than a thousand times, every byte comes in order")
    func b149AThousandPauses() async throws {
        try await withBench { bench in
            let size = 24 << 20
            bench.loop.connectionSettings.waitingBytes = 1
            let server = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
                .sendPattern(size), .hold,
            ])
            let delegate = try await bench.load(server.request("/f"))
            #expect(delegate.transcript == [.response(200), .data(size), .finished])
            // Each data message is one pause: there is room for one piece at a time.
            #expect(delegate.messages.count > 1_000)
            #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        }
    }

    // B150: the server goes away meanwhile, which makes its socket readable for good.
    @Test(
        "Paused loads cost no processor time",
        arguments: [(1, false), (20, false), (1, true)]
    )
    func b150CostsNothing(count: Int, isCoded: Bool) async throws {
        let coded = isCoded ? try await Gzip.zeros(count: 1_000_000) : []
        try await withBench { bench in
            let goOn = Gate()
            let body: ScriptStep = isCoded ? .send(coded) : .sendPattern(1_000_000)
            let fields =
                isCoded
                ? "Content-Encoding: gzip\r\nContent-Length: \(coded.count)"
                : "Content-Length: 1000000"
            let server = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n"), body, .finish,
            ])
            bench.loop.connectionSettings.connectionsPerHost = count
            bench.loop.connectionSettings.waitingBytes = 50_000
            bench.queue.maxConcurrentOperationCount = count
            let blocked = (0..<count).map { _ in Gate() }
            let delegates = blocked.map { blocked in
                RecordingDelegate { message, _ in
                    guard message != .response(200) else { return }
                    blocked.open()
                    try? goOn.wait()
                }
            }
            for delegate in delegates { bench.start(server.request("/f"), delegate) }
            for gate in blocked { try await gate.opened() }
            try await bench.turnLoop()
            let (time, spent) = (ContinuousClock.now, ThisProcess.processorTime)
            // Time is what this is about: a server that takes a second to answer.
            try await bench.turnLoop(for: .seconds(1))
            let share = (ThisProcess.processorTime - spent) / (ContinuousClock.now - time)
            #expect(share < 0.25)
            goOn.open()
            for delegate in delegates {
                try await delegate.ended()
                #expect(delegate.transcript == [.response(200), .data(1_000_000), .finished])
            }
        }
    }

    // B155
    @Test("While a load is paused nothing is told, and the end is not missed")
    func b155QuietWhilePaused() async throws {
        try await withBench { bench in
            let (isBlocked, sent, goOn) = (Gate(), Gate(), Gate())
            bench.loop.connectionSettings.waitingBytes = 1
            let server = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
                .sendPattern(50_000), .waitFor(isBlocked), .sendPattern(50_000, from: 50_000),
                .open(sent), .finish,
            ])
            let delegate = RecordingDelegate { message, _ in
                guard message != .response(200), !isBlocked.isOpen else { return }
                isBlocked.open()
                try? goOn.wait()
            }
            bench.start(server.request("/f"), delegate)
            try await sent.opened()
            for _ in 0..<3 { try await bench.turnLoop() }
            #expect(delegate.messages.count == 2)
            goOn.open()
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(100_000), .finished])
            #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        }
    }
}
