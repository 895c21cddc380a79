import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Ownership", .timeLimit(.minutes(1)))
struct OwnershipTests {
    /// Starts a connection and keeps neither it nor its delegate.
    private func startAndForget(
        _ request: URLRequest,
        delegateFreed: Gate,
        onMessage: @escaping RecordingDelegate.Hook = { _, _ in }
    ) -> Gate {
        let probe = Probe(delegateFreed)
        let delegate = RecordingDelegate { message, connection in
            withExtendedLifetime(probe) { onMessage(message, connection) }
        }
        let connection = ProbeConnection(
            request: request,
            delegate: delegate,
            startImmediately: false
        )
        guard let connection else { preconditionFailure("a connection can always be made") }
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        return connection.freed
    }

    @Test("A running load keeps its connection and its delegate until the last message returned")
    func finish() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let delegateFreed = Gate()
        let last = Gate()
        let connectionFreed = startAndForget(
            server.request(),
            delegateFreed: delegateFreed
        ) { message, _ in
            #expect(!delegateFreed.isOpen)
            if message.isTerminal { last.open() }
        }
        try await delegateFreed.opened()
        try await connectionFreed.opened()
        #expect(last.isOpen)
    }

    @Test("A failed load lets go of its connection and its delegate")
    func failure() async throws {
        let server = try ScriptedServer([.waitForRequest, .finish])
        let delegateFreed = Gate()
        let connectionFreed = startAndForget(server.request(), delegateFreed: delegateFreed)
        try await delegateFreed.opened()
        try await connectionFreed.opened()
    }

    @Test("A cancel lets go of the delegate and of the connection")
    func cancel() async throws {
        let server = try ScriptedServer([.waitForRequest, .send("HTTP/1.1 200 OK\r\n\r\n"), .hold])
        let delegateFreed = Gate()
        let connectionFreed = startAndForget(
            server.request(),
            delegateFreed: delegateFreed
        ) { _, connection in connection.cancel() }
        try await delegateFreed.opened()
        try await connectionFreed.opened()
    }

    @Test("A connection that was never started is freed with its delegate")
    func neverStarted() async throws {
        let server = try ScriptedServer([.waitForRequest])
        let delegateFreed = Gate()
        let connectionFreed = makeAndForget(server.request(), delegateFreed: delegateFreed)
        try await delegateFreed.opened()
        try await connectionFreed.opened()
        #expect(server.connectionCount == 0)
    }

    private func makeAndForget(_ request: URLRequest, delegateFreed: Gate) -> Gate {
        let probe = Probe(delegateFreed)
        let delegate = RecordingDelegate { _, _ in withExtendedLifetime(probe) {} }
        let connection = ProbeConnection(
            request: request,
            delegate: delegate,
            startImmediately: false
        )
        connection?.setDelegateQueue(OperationQueue())
        connection?.schedule(in: .main, forMode: .default)
        return connection?.freed ?? Gate()
    }

    @Test("A delegate that keeps its connection is freed at the end all the same")
    func cycle() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let freed = Gate()
        startCycle(server.request(), Probe(freed))
        try await freed.opened()
    }

    private func startCycle(_ request: URLRequest, _ probe: Probe) {
        let delegate = OwningDelegate(probe)
        delegate.connection = makeConnection(request, delegate)
        delegate.connection?.setDelivery(.onLoop)
        delegate.connection?.start()
    }
}

private final class OwningDelegate: NSObject, NSURLConnectionDataDelegate {
    var connection: NSURLConnection?
    private let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
    }
}
