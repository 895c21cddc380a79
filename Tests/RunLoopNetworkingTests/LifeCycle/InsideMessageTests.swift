import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What a delegate may do inside each of its messages, wherever it is called.
@Suite("Inside a message", .timeLimit(.minutes(1)))
struct InsideMessageTests {
    /// The message in which something is done.
    enum Moment: CaseIterable {
        case firstRequest
        case redirect
        case response
        case data
        case finished
        case failed
    }

    /// What is done.
    enum Act: CaseIterable {
        /// The last references to connection, delegate and loop go; the loop turns on.
        case letGo
        /// The same, and the loop is told to stop; who stopped it shuts it down later.
        case stopAndLetGo
        /// The loop is told to stop, and started again.
        case stopAndStart
        case cancel
        case shutDown
    }

    /// Where the delegate is called.
    enum Place: CaseIterable {
        case loop
        case operationQueue
        case dispatchQueue
    }

    struct Case: CustomTestStringConvertible {
        let moment: Moment
        let act: Act
        let place: Place

        var testDescription: String { "\(act) in \(moment) on \(place)" }

        static let all = Moment.allCases.flatMap { moment in
            Act.allCases.flatMap { act in
                Place.allCases.map { Case(moment: moment, act: act, place: $0) }
            }
        }
    }

    @Test("A delegate may let go of everything, cancel, stop and shut down", arguments: Case.all)
    func act(_ what: Case) async throws {
        let length = what.moment == .failed ? 9 : 3
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: /next"]),
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc"),
            .finish,
        ])
        let load = start(server.request(), what)
        try await load.cast.acted.opened()
        load.stopped?.shutDown()
        // Nothing is kept, however it ended.
        try await load.delegateFreed.opened()
        try await load.connectionFreed.opened()
        try await load.loopFreed.opened()
        let lines = load.cast.lines.withLock(\.self)
        let end = what.moment == .failed ? "failed" : "finished"
        switch what.act {
        case .letGo, .stopAndStart:
            #expect(lines == ["request", "redirect", "response", "data", end])
        case .cancel:
            #expect(lines.last == what.line)
        case .shutDown, .stopAndLetGo:
            let ends = lines.filter { $0 == "finished" || $0 == "failed" }
            #expect(ends.count == 1)
            #expect(ends.last == lines.last)
        }
    }

    /// What is left of a load when nobody keeps its parts.
    private struct Traces {
        let delegateFreed = Gate()
        let connectionFreed: Gate
        let loopFreed = Gate()
        let cast: Cast
        /// The loop, where the act leaves it stopped.
        let stopped: EventLoop?
    }

    private func start(_ request: URLRequest, _ what: Case) -> Traces {
        let cast = Cast(what)
        let delegate = ActingDelegate(cast)
        let loop = EventLoop(name: "inside a message")
        let connection = ProbeConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop
        )
        guard let connection else { preconditionFailure("a connection can always be made") }
        let traces = Traces(
            connectionFreed: connection.freed,
            cast: cast,
            stopped: what.act == .stopAndLetGo ? loop : nil
        )
        delegate.probe.withLock { $0 = Probe(traces.delegateFreed) }
        let probe = Probe(traces.loopFreed)
        loop.perform { [unowned loop] in loop.atShutDown { withExtendedLifetime(probe) {} } }
        cast.parts.withLock { $0 = [connection, delegate, loop] }
        switch what.place {
        case .loop: connection.setDelivery(.onLoop)
        case .operationQueue: connection.setDelegateQueue(OperationQueue())
        case .dispatchQueue: connection.setDelivery(.dispatchQueue(makeBlockingQueue()))
        }
        connection.start()
        loop.start()
        return traces
    }
}

extension InsideMessageTests.Case {
    /// The message in which something is done, as it is written down.
    fileprivate var line: String {
        switch moment {
        case .firstRequest: "request"
        case .redirect: "redirect"
        case .response: "response"
        case .data: "data"
        case .finished: "finished"
        case .failed: "failed"
        }
    }
}

/// Keeps all parts of a load, until a message lets go of them.
private final class Cast: Sendable {
    let parts = Guarded<[any AnyObject & Sendable]>([])
    let lines = Guarded<[String]>([])
    let acted = Gate()
    private let what: InsideMessageTests.Case

    init(_ what: InsideMessageTests.Case) {
        self.what = what
    }

    func hear(_ line: String, _ connection: NSURLConnection) {
        let isFirst = lines.withLock { lines in
            defer { if lines.last != line { lines.append(line) } }
            return lines.last != line
        }
        if line == what.line, isFirst { act(connection) }
        // Whoever turns on is told to end with its last message.
        if line == "finished" || line == "failed" { end(connection.loop) }
    }

    private func act(_ connection: NSURLConnection) {
        let loop = connection.loop
        switch what.act {
        case .letGo:
            parts.withLock { $0 = [] }
        case .stopAndLetGo:
            parts.withLock { $0 = [] }
            loop.stop()
        case .stopAndStart:
            loop.stop()
            loop.start()
        case .cancel:
            connection.cancel()
            end(loop)
        case .shutDown:
            loop.shutDown()
        }
        acted.open()
    }

    private func end(_ loop: EventLoop) {
        parts.withLock { $0 = [] }
        loop.stop()
    }
}

/// A delegate that says each message to the cast.
private final class ActingDelegate: NSObject, NSURLConnectionDataDelegate, Sendable {
    let probe = Guarded<Probe?>(nil)
    private let cast: Cast

    init(_ cast: Cast) {
        self.cast = cast
    }

    func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest? {
        cast.hear(response == nil ? "request" : "redirect", connection)
        return request
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        cast.hear("response", connection)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        cast.hear("data", connection)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        cast.hear("finished", connection)
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        cast.hear("failed", connection)
    }
}
