import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: the loop", .timeLimit(.minutes(1)))
struct LoopTests {
    private static let answer: [ScriptStep] = [
        .forever([.waitForRequest, .respond(200, body: "ok")])
    ]
    private static let whole: [TranscriptMessage] = [.response(200), .data(2), .finished]

    // B151
    @Test(
        "In each message the next load may be started and the one before be cancelled",
        arguments: [true, false]
    )
    func b151StartAndCancelInside(isOnLoop: Bool) async throws {
        try await withBench { bench in
            let server = try bench.serve(Self.answer)
            let chain = Chain(count: 500, bench, server.request("/f"), isOnLoop: isOnLoop)
            chain.start(0)
            try await chain.lastHasEnded.opened()
            try await bench.turnLoop()
            try await bench.queueHasRun()
            for delegate in chain.delegates {
                // Those before the last were cancelled on the way, or had ended.
                #expect(delegate.transcript == Array(Self.whole.prefix(delegate.transcript.count)))
                #expect(!delegate.transcript.isEmpty)
            }
            #expect(chain.delegates.count == 500)
            #expect(chain.delegates.last?.transcript == Self.whole)
            withExtendedLifetime(chain) {}
        }
    }

    // B153: an idle loop has no timer that could wake it by chance.
    @Test("A load that is started from another thread wakes an idle loop")
    func b153WakesAnIdleLoop() async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, .respond(200, body: "ok"), .finish])
            for _ in 0..<200 {
                let delegate = RecordingDelegate()
                _ = try await onThread { bench.start(server.request("/f"), delegate) }
                try await delegate.ended()
                #expect(delegate.transcript == Self.whole)
            }
        }
    }

    // B153
    @Test("A stop right behind the start is not lost, and the loop goes on with the next start")
    func b153StopRightAtTheStart() async throws {
        let server = try ScriptedServer(Self.answer)
        for _ in 0..<200 {
            let loop = EventLoop(name: "stopped")
            loop.start()
            try await onThread { loop.stop() }
            let delegate = RecordingDelegate()
            let connection = NSURLConnection(
                request: server.request("/f"),
                delegate: delegate,
                startImmediately: false,
                loop: loop
            )
            connection?.setDelivery(.onLoop)
            connection?.start()
            loop.start()
            try await delegate.ended()
            #expect(delegate.transcript == Self.whole)
            loop.shutDown()
        }
    }

    // B156
    @Test("A load at full speed does not starve others, is not interrupted, and can be cancelled")
    func b156OneBusyLoad() async throws {
        try await withBench { bench in
            let busy = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\n\r\n"), .sendPattern(.max),
            ])
            let server = try bench.serve(Self.answer)
            let delegate = RecordingDelegate(keepsBody: false)
            let connection = bench.connection(busy.request("/a"), delegate)
            connection.setDelegateQueue(OperationQueue())
            connection.start()
            try await delegate.heard { $0 != .response(200) }
            let before = busy.sentBytes()
            for _ in 0..<100 {
                let other = try await bench.load(server.request("/b"))
                #expect(other.transcript == Self.whole)
            }
            #expect(busy.sentBytes() > before)
            #expect(!delegate.hasEnded)
            connection.cancel()
            try await busy.closedByClient(connections: 1)
            #expect(!delegate.hasEnded)
        }
    }
}

/// Loads of which each starts the next one in its messages, and cancels the one before.
private final class Chain: Sendable {
    let lastHasEnded = Gate()

    private let count: Int
    private let bench: Bench
    private let request: URLRequest
    private let isOnLoop: Bool
    private let links = Guarded<[(NSURLConnection, RecordingDelegate)]>([])

    init(count: Int, _ bench: Bench, _ request: URLRequest, isOnLoop: Bool) {
        self.count = count
        self.bench = bench
        self.request = request
        self.isOnLoop = isOnLoop
    }

    var delegates: [RecordingDelegate] { links.withLock { $0.map(\.1) } }

    /// Starts a link, unless it was started.
    func start(_ index: Int) {
        guard index < count else { return }
        let delegate = RecordingDelegate { [weak self, count] message, _ in
            guard let self else { return }
            start(index + 1)
            if index > 0 { links.withLock { $0[index - 1].0 }.cancel() }
            if index == count - 1, message.isTerminal { lastHasEnded.open() }
        }
        let connection = bench.connection(request, delegate)
        let isNew = links.withLock { links in
            guard links.count == index else { return false }
            links.append((connection, delegate))
            return true
        }
        guard isNew else { return }
        connection.setDelivery(isOnLoop ? .onLoop : .operationQueue(bench.queue))
        connection.start()
    }
}
