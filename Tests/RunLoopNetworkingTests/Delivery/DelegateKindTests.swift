import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Kinds of delegates", .timeLimit(.minutes(1)))
struct DelegateKindTests {
    private func start(_ server: ScriptedServer, _ delegate: Any?) -> Gate {
        let connection = ProbeConnection(
            request: server.request(),
            delegate: delegate,
            startImmediately: false
        )
        connection?.setDelegateQueue(OperationQueue())
        connection?.start()
        return connection?.freed ?? Gate()
    }

    @Test(
        "A load without a delegate, or with one that hears nothing, comes to its end",
        arguments: [false, true]
    )
    func nobody(isString: Bool) async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let freed = start(server, isString ? "no delegate" : nil)
        try await freed.opened()
        #expect(server.requests.count == 1)
    }

    @Test("A delegate that adopts only the base protocol hears a failure, and is freed")
    func baseProtocol() async throws {
        let server = try ScriptedServer([.waitForRequest, .finish])
        let delegate = FailureDelegate()
        let freed = start(server, delegate)
        try await freed.opened()
        #expect((delegate.error as? URLError)?.code == .networkConnectionLost)
    }

    @Test("A delegate that adopts only the base protocol does not hear a success")
    func baseProtocolSuccess() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let delegate = FailureDelegate()
        let freed = start(server, delegate)
        try await freed.opened()
        #expect(delegate.error == nil)
    }

    @Test("A data delegate may leave out every method")
    func emptyDataDelegate() async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .respond(200, ["Connection: close"], body: "abc"), .finish],
            [.waitForRequest, .finish]
        )
        for _ in 0..<2 {
            let freed = start(server, EmptyDelegate())
            try await freed.opened()
        }
    }
}

private final class FailureDelegate: NSObject, NSURLConnectionDelegate, @unchecked Sendable {
    // Written by the only message, read after the connection was freed.
    private(set) var error: (any Error)?

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        self.error = error
    }
}

private final class EmptyDelegate: NSObject, NSURLConnectionDataDelegate {}
