import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Where an entry of the bug bank is played: a loop, a queue, and the servers of this test alone.
///
/// What the bank asks for in every entry is looked at when ``withBench(_:)`` ends: one last message at
/// most, in order, never two at once, all on the queue that was chosen, nothing after a cancel, and
/// no descriptor left behind. That a load ends at all is found by the waits. Whatever would only end
/// by the time-out of a request, 60 s, misses the patience of those waits and fails.
final class Bench: Sendable {
    let loop: EventLoop
    let queue = OperationQueue()

    private struct Held: Sendable {
        var delegates: [RecordingDelegate] = []
        var onOwnQueue: [RecordingDelegate] = []
        var servers: [ScriptedServer] = []
    }

    private let held = Guarded(Held())

    fileprivate init(_ manual: ManualLoop?) {
        loop = manual?.loop ?? EventLoop(name: "bench")
        // Those of other tests are of no concern here, nor these to them.
        loop.connectionSettings.cookieStore = CookieStore()
        loop.start()
    }
}

// MARK: - What a test does on it

extension Bench {
    /// Makes a server that is stopped when the bench is left.
    func serve(
        on loopback: ScriptedServer.Loopback = .v4,
        _ scripts: [ScriptStep]...
    ) throws -> ScriptedServer {
        try serve(on: loopback, scripts)
    }

    /// The same with a script for each connection.
    func serve(
        on loopback: ScriptedServer.Loopback = .v4,
        tls: TLSIdentity? = nil,
        _ scripts: [[ScriptStep]]
    ) throws -> ScriptedServer {
        let server = try ScriptedServer(on: loopback, tls: tls) { _ in scripts }
        held.withLock { $0.servers.append(server) }
        return server
    }

    /// Makes a connection that is not started; where it tells its messages is the caller's choice.
    func connection(_ request: URLRequest, _ delegate: RecordingDelegate) -> NSURLConnection {
        held.withLock { $0.delegates.append(delegate) }
        let made = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop
        )
        guard let made else { preconditionFailure("a connection can always be made") }
        return made
    }

    /// Starts a load whose messages are told on the bench's queue.
    @discardableResult
    func start(
        _ request: URLRequest,
        _ delegate: RecordingDelegate = RecordingDelegate()
    ) -> NSURLConnection {
        let connection = connection(request, delegate)
        held.withLock { $0.onOwnQueue.append(delegate) }
        connection.setDelegateQueue(queue)
        connection.start()
        return connection
    }

    /// Loads a request to its end.
    @discardableResult
    func load(
        _ request: URLRequest,
        _ delegate: RecordingDelegate = RecordingDelegate()
    ) async throws -> RecordingDelegate {
        start(request, delegate)
        try await delegate.ended()
        return delegate
    }

    /// Loads what a server answers that reads one request and does these steps.
    @discardableResult
    func load(
        _ steps: [ScriptStep],
        method: String = "GET",
        _ delegate: RecordingDelegate = RecordingDelegate()
    ) async throws -> RecordingDelegate {
        let server = try serve([.waitForRequest] + steps)
        return try await load(server.request("/f", method: method), delegate)
    }

    /// Lets everything that was in the kernel before reach the mailboxes: a load to its end.
    ///
    /// - Parameter pause: How long the server takes to answer.
    /// - Throws: An error when the load can't begin or does not end.
    func turnLoop(for pause: Duration = .zero) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .pause(pause), .respond(200, body: "x"),
        ])
        let delegate = RecordingDelegate()
        let connection = connection(server.request(), delegate)
        connection.setDelivery(.onLoop)
        connection.start()
        try await delegate.ended()
    }

    /// The same while the calling thread is blocked.
    func turnLoopBlocking() throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "x")])
        let delegate = RecordingDelegate()
        let connection = connection(server.request(), delegate)
        connection.setDelivery(.onLoop)
        connection.start()
        try delegate.wait()
    }

    /// Waits until everything that was added to the bench's queue before has run.
    func queueHasRun() async throws {
        let reached = Gate()
        queue.addBarrierBlock { reached.open() }
        try await reached.opened()
    }
}

// MARK: - The checks of every entry

/// Plays an entry, then makes the checks that belong to every entry.
func withBench<Result>(
    on manual: ManualLoop? = nil,
    countsDescriptors: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Bench) async throws -> Result
) async throws -> Result {
    // What Dispatch and Foundation open once and keep is open before descriptors are counted.
    _ = try await Bench.play(nil, sourceLocation) { bench in
        try await bench.load([.respond(200, body: "x")])
    }
    let before = try ThisProcess.descriptorCount
    let result = try await Bench.play(manual, sourceLocation, body)
    guard countsDescriptors else { return result }
    // The bench and its loop are gone by now.
    let isClosed = try ThisProcess.soon { try ThisProcess.descriptorCount <= before }
    #expect(isClosed, "descriptors were left open", sourceLocation: sourceLocation)
    return result
}

extension Bench {
    fileprivate static func play<Result>(
        _ manual: ManualLoop?,
        _ sourceLocation: SourceLocation,
        _ body: (Bench) async throws -> Result
    ) async throws -> Result {
        let bench = Bench(manual)
        defer {
            bench.loop.shutDown()
            for server in bench.held.withLock({ $0.servers }) { server.stop() }
        }
        let result = try await body(bench)
        bench.loop.shutDown()
        try await bench.queueHasRun()
        bench.check(sourceLocation)
        return result
    }

    private func check(_ sourceLocation: SourceLocation) {
        let (delegates, onOwnQueue) = held.withLock { ($0.delegates, $0.onOwnQueue) }
        for delegate in delegates {
            #expect(delegate.faults.isEmpty, sourceLocation: sourceLocation)
        }
        for delegate in onOwnQueue {
            let isOnQueue = delegate.messages.allSatisfy { $0.operationQueue === queue }
            #expect(isOnQueue, sourceLocation: sourceLocation)
        }
    }
}
