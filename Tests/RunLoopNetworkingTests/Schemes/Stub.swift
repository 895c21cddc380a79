import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// What a registered handler does in a test.
final class Stub: Sendable {
    typealias Start = @Sendable (StubHandler) -> Void

    private struct Record: Sendable {
        var log: [String] = []
        var response: URLResponse?
        var handler: StubHandler?
    }

    let scheme: String
    let takes: @Sendable (URLRequest) -> Bool
    let canonical: @Sendable (URLRequest) -> URLRequest
    let start: Start
    private let record = Guarded(Record())
    private let stop = Gate()

    /// Registers a stub for a scheme that nobody else has, or for what it is said to take.
    init(
        takes: (@Sendable (URLRequest) -> Bool)? = nil,
        canonical: @escaping @Sendable (URLRequest) -> URLRequest = { $0 },
        start: @escaping Start
    ) {
        let scheme = "stub-\(UUID().uuidString.lowercased())"
        self.scheme = scheme
        self.takes = takes ?? { $0.url?.scheme == scheme }
        self.canonical = canonical
        self.start = start
        StubProtocol.stubs.withLock { $0.append(self) }
        NSURLConnection.registerProtocol(StubProtocol.self)
    }

    /// Takes nothing any more.
    func unregister() {
        StubProtocol.stubs.withLock { stubs in stubs.removeAll { $0 === self } }
    }

    /// A request that the stub takes by itself.
    func request() -> URLRequest {
        guard let url = URL(string: "\(scheme)://h/x") else { preconditionFailure("no URL") }
        return URLRequest(url: url)
    }

    /// Which of the handler's methods were called.
    var log: [String] { record.withLock { $0 }.log }

    /// What it responded with at last.
    var response: URLResponse? { record.withLock { $0 }.response }

    /// The handler that was started at last.
    var handler: StubHandler? { record.withLock { $0 }.handler }

    /// Waits until a handler was stopped.
    func stopped() async throws {
        try await stop.opened()
    }

    func note(_ word: String) {
        record.withLock { $0.log.append(word) }
        if word == "stop" { stop.open() }
    }

    func note(_ response: URLResponse) {
        record.withLock { $0.response = response }
    }

    func note(_ handler: StubHandler) {
        record.withLock { $0.handler = handler }
    }
}

/// A registered handler as a test's code sees it; any thread may tell its client something.
struct StubHandler: @unchecked Sendable {
    // The client takes calls from any thread, and the request does not change.
    fileprivate let handler: URLProtocol
    fileprivate let stub: Stub

    var request: URLRequest { handler.request }

    func respond(_ status: Int) {
        guard let url = request.url else { return }
        let response = HTTPURLResponse(
            url: url,
            statusCode: status,
            httpVersion: "HTTP/1.1",
            headerFields: nil
        )
        guard let response else { return }
        stub.note(response)
        handler.client?.urlProtocol(
            handler,
            didReceive: response,
            cacheStoragePolicy: .notAllowed
        )
    }

    func send(_ data: Data) {
        handler.client?.urlProtocol(handler, didLoad: data)
    }

    func send(_ text: String) {
        send(Data(text.utf8))
    }

    func finish() {
        handler.client?.urlProtocolDidFinishLoading(handler)
    }

    func fail(_ error: any Error) {
        handler.client?.urlProtocol(handler, didFailWithError: error)
    }

    func challenge(_ challenge: URLAuthenticationChallenge) {
        handler.client?.urlProtocol(handler, didReceive: challenge)
    }

    func redirect(to next: URLRequest, status: Int) {
        guard let url = request.url else { return }
        let response = HTTPURLResponse(
            url: url,
            statusCode: status,
            httpVersion: "HTTP/1.1",
            headerFields: nil
        )
        guard let response else { return }
        handler.client?.urlProtocol(handler, wasRedirectedTo: next, redirectResponse: response)
    }
}

/// The handler that is registered for all stubs.
private final class StubProtocol: URLProtocol {
    static let stubs = Guarded<[Stub]>([])

    private static func stub(for request: URLRequest) -> Stub? {
        stubs.withLock { $0 }.last { $0.takes(request) }
    }

    override class func canInit(with request: URLRequest) -> Bool {
        guard let stub = stub(for: request) else { return false }
        stub.note("canInit")
        return true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        guard let stub = stub(for: request) else { return request }
        stub.note("canonical")
        return stub.canonical(request)
    }

    override func startLoading() {
        guard let stub = Self.stub(for: request) else { return }
        stub.note("start")
        let handler = StubHandler(handler: self, stub: stub)
        stub.note(handler)
        stub.start(handler)
    }

    override func stopLoading() {
        Self.stub(for: request)?.note("stop")
    }
}
