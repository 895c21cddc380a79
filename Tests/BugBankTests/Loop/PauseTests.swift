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
    func b149ThousandPauses() async throws {
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

    // B150: nothing is taken from a queue that is suspended, so that each load pauses. Where the
    // kernel holds the whole body the server goes away meanwhile, and the socket stays readable.
    @Test(
        "Paused loads cost no processor time",
        arguments: [(1, 1_000_000, false), (20, 200_000, false), (1, 1_000_000, true)]
    )
    func b150CostsNothing(count: Int, size: Int, isCoded: Bool) async throws {
        let coded = isCoded ? try await Gzip.zeros(count: size) : []
        try await withBench { bench in
            let length = isCoded ? coded.count : size
            let coding = isCoded ? "Content-Encoding: gzip\r\n" : ""
            let head = "HTTP/1.1 200 OK\r\n\(coding)Content-Length: \(length)\r\n\r\n"
            let held = (0..<count).map { _ in Gate() }
            let server = try bench.serve(
                held.map { held in
                    [
                        .waitForRequest, .send(head),
                        isCoded ? .send(coded) : .sendPattern(size, stalled: held), .open(held),
                        .finish,
                    ]
                }
            )
            bench.loop.connectionSettings.connectionsPerHost = count
            bench.loop.connectionSettings.waitingBytes = 50_000
            bench.queue.isSuspended = true
            let delegates = held.map { _ in RecordingDelegate() }
            for delegate in delegates { bench.start(server.request("/f"), delegate) }
            for gate in held { try await gate.opened() }
            try await bench.turnLoop()
            let (time, spent) = (ContinuousClock.now, ThisProcess.processorTime)
            // Time is what this is about: a server that takes a second to answer.
            try await bench.turnLoop(for: .seconds(1))
            let share = (ThisProcess.processorTime - spent) / (ContinuousClock.now - time)
            #expect(share < 0.25)
            bench.queue.isSuspended = false
            for delegate in delegates {
                try await delegate.ended()
                #expect(delegate.transcript == [.response(200), .data(size), .finished])
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
