import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: who lives how long", .timeLimit(.minutes(1)))
struct LifetimeTests {
    /// A way in which a load ends.
    enum Way: CaseIterable {
        case finish
        case failure
        case cancel
        case redirect
    }

    // B101: all descriptors are closed again when the bench is left.
    @Test(
        "A delegate lives until its last message has returned, and no longer",
        arguments: Way.allCases
    )
    func b101DelegateLivesToTheEnd(way: Way) async throws {
        try await withBench { bench in
            let whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            let server = try bench.serve([
                .forever(
                    way == .redirect
                        ? [
                            .waitForRequest, .respond(302, ["Location: /next"]),
                            .waitForRequest, .send(whole),
                        ]
                        : [.waitForRequest, .send(way == .failure ? "no HTTP\n" : whole)]
                )
            ])
            for _ in 0..<250 {
                let freed = Gate()
                start(server.request("/f"), on: bench.loop, way, freed)
                try await freed.opened()
            }
        }
    }

    /// Starts a connection and keeps neither it nor its delegate.
    private func start(_ request: URLRequest, on loop: EventLoop, _ way: Way, _ freed: Gate) {
        let probe = Probe(freed)
        let delegate = RecordingDelegate { message, connection in
            withExtendedLifetime(probe) {
                #expect(!freed.isOpen)
                if way == .cancel { connection.cancel() }
                if message.isTerminal {
                    #expect((message == .finished) == (way != .failure))
                }
            }
        }
        let connection = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop
        )
        connection?.setDelegateQueue(OperationQueue())
        connection?.start()
    }

    // B102
    @Test(
        "The last reference to a loop may go inside the last message",
        arguments: [ScriptStep.respond(200, body: "ok"), .finish]
    )
    func b102LastReferenceGoesInside(answer: ScriptStep) async throws {
        try await withBench { bench in
            let server = try bench.serve([.waitForRequest, answer])
            for _ in 0..<200 {
                let freed = Gate()
                let heard = startOnOwnLoop(server.request("/f"), freed)
                try await heard.opened()
                try await freed.opened()
            }
        }
    }

    private func startOnOwnLoop(_ request: URLRequest, _ freed: Gate) -> Gate {
        let heard = Gate()
        let probe = Probe(freed)
        let owner = Owner(EventLoop(name: "short-lived"))
        let delegate = RecordingDelegate { message, connection in
            withExtendedLifetime(probe) {
                guard message.isTerminal else { return }
                connection.loop.shutDown()
                owner.letGo()
                heard.open()
            }
        }
        owner.load(request, delegate)
        return heard
    }

    // B102: the exit must neither hang nor trap.
    @Test("A process may exit while loads are under way")
    func b102ExitUnderWay() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer([.waitForRequest, .hold])
            EventLoop.shared.connectionSettings.connectionsPerHost = 10
            for _ in 0..<20 {
                let connection = NSURLConnection(
                    request: server.request("/f"),
                    delegate: RecordingDelegate(),
                    startImmediately: false
                )
                connection?.setDelegateQueue(OperationQueue())
                connection?.start()
            }
            try await server.received(requests: 10)
            exit(0)
        }
    }
}

/// Holds the only reference to a loop.
private final class Owner: Sendable {
    private let loop: Guarded<EventLoop?>

    init(_ loop: EventLoop) {
        self.loop = Guarded(loop)
    }

    func load(_ request: URLRequest, _ delegate: RecordingDelegate) {
        guard let loop = loop.withLock({ $0 }) else { return }
        let connection = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop
        )
        connection?.setDelivery(.onLoop)
        connection?.start()
        loop.start()
    }

    func letGo() {
        loop.withLock { $0 = nil }
    }
}
