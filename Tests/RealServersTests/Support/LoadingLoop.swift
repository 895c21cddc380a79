import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// A loop of a test's own that shares nothing; shut down when the test lets go of it.
final class LoadingLoop: Sendable {
    let loop = EventLoop(name: "real servers")
    let cookies = CookieStore()

    init() {
        loop.connectionSettings.cookieStore = cookies
        loop.connectionSettings.credentialStore = CredentialStore()
        loop.connectionSettings.responseCache = ResponseCache(memoryCapacity: 1 << 20)
        loop.start()
    }

    deinit {
        loop.shutDown()
    }

    /// Loads to the end, and delivers on a queue.
    func load(
        _ url: URL,
        _ delegate: RecordingDelegate = RecordingDelegate(),
        configure: (inout URLRequest) -> Void = { _ in }
    ) async throws -> RecordingDelegate {
        try start(url, delegate, configure: configure)
        try await delegate.ended()
        return delegate
    }

    /// Begins to load, and delivers on a queue.
    @discardableResult
    func start(
        _ url: URL,
        _ delegate: any NSURLConnectionDelegate,
        configure: (inout URLRequest) -> Void = { _ in }
    ) throws -> NSURLConnection {
        var request = URLRequest(url: url)
        configure(&request)
        let connection = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop
        )
        connection?.setDelegateQueue(OperationQueue())
        let made = try #require(connection)
        made.start()
        return made
    }
}
