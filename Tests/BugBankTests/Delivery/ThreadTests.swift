import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: threads and queues", .timeLimit(.minutes(1)))
struct ThreadTests {
    private static let whole: [TranscriptMessage] = [.response(200), .data(2), .finished]
    private static let answer: [ScriptStep] = [
        .forever([.waitForRequest, .respond(200, body: "ok")])
    ]

    /// Where a load is started.
    enum Place: CaseIterable {
        case endingThread
        case dispatchQueue
        case task
        case mainThread
    }

    private func run(at place: Place, _ body: @escaping @Sendable () -> Void) async throws {
        switch place {
        case .endingThread: try await onThread(body)
        case .dispatchQueue:
            let ran = Gate()
            DispatchQueue(label: "bug bank").async {
                body()
                ran.open()
            }
            try await ran.opened()
        case .task: await Task.detached { body() }.value
        case .mainThread: await MainActor.run { body() }
        }
    }

    // B104
    @Test("With a queue, a load is told wherever it was started", arguments: Place.allCases)
    func b104WithQueue(place: Place) async throws {
        try await withBench { bench in
            let server = try bench.serve(Self.answer)
            let delegate = RecordingDelegate()
            try await run(at: place) { bench.start(server.request("/f"), delegate) }
            try await delegate.ended()
            #expect(delegate.transcript == Self.whole)
        }
    }

    // B104: the rule is told at NSURLConnection: the messages come on the run loop of the thread that
    // started the load. Of a run loop that never runs nothing is heard, and nothing is lost either.
    @Test(
        "Without a queue, what is never told on a run loop that has gone is told on a queue later",
        arguments: [Place.endingThread, .dispatchQueue, .task]
    )
    func b104RunLoopNeverRuns(place: Place) async throws {
        // A run loop has descriptors of its own for as long as its thread.
        try await withBench(countsDescriptors: false) { bench in
            let server = try bench.serve(Self.answer)
            let delegate = RecordingDelegate()
            let connection = bench.connection(server.request("/f"), delegate)
            try await run(at: place) { connection.start() }
            try await server.received(requests: 1)
            try await bench.turnLoop()
            #expect(delegate.transcript.isEmpty)
            connection.setDelegateQueue(bench.queue)
            try await delegate.ended()
            #expect(delegate.transcript == Self.whole)
        }
    }

    // B104: on the main thread SeedDefaultScheduling does the same; a test has no main run loop.
    @Test("Started before its thread's run loop runs, a load is told there")
    func b104RunLoopRunsLater() async throws {
        try await withBench { bench in
            let server = try bench.serve(Self.answer)
            let delegate = RecordingDelegate()
            let connection = bench.connection(server.request("/f"), delegate)
            let thread = try await onThread {
                connection.start()
                try bench.turnLoopBlocking()
                #expect(delegate.transcript.isEmpty)
                RunLoop.current.run()
                return ThreadNumber.current
            }
            #expect(delegate.transcript == Self.whole)
            #expect(delegate.messages.allSatisfy { $0.thread == thread })
        }
    }

    // B107: the server has a thread for each network connection, in this process.
    @Test(
        "Hundreds of loads at once need no threads of their own, and keep to the limit",
        arguments: [1, 50]
    )
    func b107HundredsAtOnce(serverCount: Int) async throws {
        try await withBench { bench in
            let before = try ThisProcess.threadCount
            let goOn = Gate()
            let body = String(repeating: "x", count: 10_000)
            let servers = try (0..<serverCount).map { _ in
                try bench.serve([
                    .waitForRequest, .waitFor(goOn), .respond(200, body: body),
                    .forever([.waitForRequest, .respond(200, body: body)]),
                ])
            }
            let delegates = (0..<500).map { _ in RecordingDelegate(keepsBody: false) }
            for (index, delegate) in delegates.enumerated() {
                bench.start(servers[index % serverCount].request("/f"), delegate)
            }
            let places = min(256, serverCount * 6)
            for server in servers { try await server.accepted(connections: places / serverCount) }
            let threads = try ThisProcess.threadCount - before
            let ofServers = serverCount + servers.reduce(0) { $0 + $1.connectionCount }
            #expect(servers.reduce(0) { $0 + $1.connectionCount } <= places)
            // Some of Dispatch's and Swift's own may have been made meanwhile.
            #expect(threads <= ofServers + 24)
            goOn.open()
            for delegate in delegates {
                try await delegate.ended()
                #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
            }
        }
    }
}
