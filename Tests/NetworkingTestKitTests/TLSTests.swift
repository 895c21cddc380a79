import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Scripted server over TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    private let authority: TLSAuthority
    private let loop = TrustingLoop()

    init() throws {
        authority = try TLSAuthority()
        loop.trust(authority)
    }

    @discardableResult
    private func load(
        _ request: URLRequest,
        _ delegate: RecordingDelegate = RecordingDelegate()
    ) async throws -> RecordingDelegate {
        let connection = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop.value
        )
        connection?.setDelegateQueue(OperationQueue())
        connection?.start()
        try await delegate.ended()
        return delegate
    }

    @Test("A request is recorded as it came, and the answer goes out as it was written")
    func exchange() async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .respond(201, ["X-Tag: v"], body: "abc")],
            tls: authority.identity()
        )
        var request = server.request("/f?q=1", method: "POST")
        request.httpBody = Data("body".utf8)
        let delegate = try await load(request)
        #expect(delegate.transcript == [.response(201), .data(3), .finished])
        #expect(delegate.body == Data("abc".utf8))
        #expect(delegate.response?.url?.scheme == "https")
        #expect(delegate.response?.value(forHTTPHeaderField: "X-Tag") == "v")
        let recorded = try #require(server.requests.first)
        #expect(recorded.method == "POST")
        #expect(recorded.target == "/f?q=1")
        #expect(recorded.bodyText == "body")
    }

    @Test("Gates and single bytes are what they are without TLS")
    func steps() async throws {
        let more = Gate()
        let server = try ScriptedServer(
            [
                .waitForRequest, .sendBytewise("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"),
                .send("a"), .waitFor(more), .pause(.milliseconds(1)), .send("b"),
            ],
            tls: authority.identity()
        )
        let delegate = RecordingDelegate { message, _ in
            if message == .data(1) { more.open() }
        }
        try await load(server.request(), delegate)
        #expect(
            delegate.messages.map(\.message) == [.response(200), .data(1), .data(1), .finished]
        )
    }

    @Test("Much goes through in both directions, and a client that stalls is noticed")
    func much() async throws {
        let size = 12 << 20
        let stalled = Gate()
        let server = try ScriptedServer(
            [
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
                .sendPattern(size, stalled: stalled),
            ],
            tls: authority.identity()
        )
        var request = server.request("/", method: "PUT")
        request.httpBody = Data(CounterPattern.bytes(count: 300_000))
        let delegate = RecordingDelegate { message, _ in
            if message == .response(200) { try? stalled.wait() }
        }
        try await load(request, delegate)
        #expect(stalled.isOpen)
        #expect(delegate.transcript == [.response(200), .data(size), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        #expect(server.requests.first?.body == CounterPattern.bytes(count: 300_000))
        #expect(server.sentBytes() >= size)
    }

    @Test("A client that breaks the handshake off is one that closed, and sent nothing")
    func brokenHandshake() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()], tls: authority.identity())
        let plain = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let delegate = try await load(URLRequest(url: plain))
        #expect(delegate.urlError != nil)
        try await server.closedByClient(connections: 1)
        loop.trust(try TLSAuthority())
        try await load(server.request())
        try await server.closedByClient(connections: 2)
        #expect(server.requests.isEmpty)
    }

    @Test("Stopping ends a script that reads over TLS")
    func stop() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold], tls: authority.identity())
        let delegate = RecordingDelegate()
        let connection = NSURLConnection(
            request: server.request(),
            delegate: delegate,
            startImmediately: false,
            loop: loop.value
        )
        connection?.setDelivery(.onLoop)
        connection?.start()
        try await server.received(requests: 1)
        server.stop()
        try await delegate.ended()
        #expect(delegate.transcript == [.failed(.networkConnectionLost)])
    }

    @Test("The file of an authority is there as long as the authority")
    func file() throws {
        var authority: TLSAuthority? = try TLSAuthority(name: "Briefly")
        let path = try #require(authority?.certificateFile)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        authority = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A name that no certificate can have is an error")
    func badName() {
        #expect(throws: (any Error).self) { try authority.identity(for: ["not an address:"]) }
    }
}

/// A loop on a thread of its own; shut down when the test lets go of it.
private final class TrustingLoop: Sendable {
    let value = EventLoop(name: "TLS tests")

    init() {
        value.start()
    }

    deinit {
        value.shutDown()
    }

    func trust(_ authority: TLSAuthority) {
        value.connectionSettings.certificateAuthorityFile = authority.certificateFile
    }
}
