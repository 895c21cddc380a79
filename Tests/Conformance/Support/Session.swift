import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What a URLSession is elsewhere: a loop with cookies, credentials and responses of its own.
final class Session: Sendable {
    let loop = EventLoop(name: "session")
    let cookies = CookieStore()

    /// The methods that each case is tried with.
    static let methods = ["HEAD", "GET", "PUT", "POST", "DELETE"]

    init() {
        loop.connectionSettings.cookieStore = cookies
        loop.connectionSettings.credentialStore = CredentialStore()
        loop.connectionSettings.responseCache = ResponseCache(memoryCapacity: 1 << 20)
        loop.start()
    }

    deinit {
        loop.shutDown()
    }

    /// A connection that delivers on a queue and has not started.
    func connection(
        _ request: URLRequest,
        _ delegate: any NSURLConnectionDelegate,
        queue: OperationQueue = OperationQueue()
    ) throws -> NSURLConnection {
        let made = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop
        )
        let connection = try #require(made)
        connection.setDelegateQueue(queue)
        return connection
    }

    /// Loads to the end.
    @discardableResult
    func load(_ request: URLRequest, _ delegate: Callbacks = Callbacks()) async throws -> Callbacks
    {
        try connection(request, delegate).start()
        try await delegate.ended()
        return delegate
    }

    /// What a whole answer with a body consists of, when HEAD asks for it or another method does.
    static func whole(_ status: Int, method: String) -> [Callbacks.Callback] {
        method == "HEAD"
            ? [.response(status), .complete] : [.response(status), .data, .complete]
    }

    /// A response to a method: HEAD is told of a body, and the others get it.
    static func respond(
        _ status: Int,
        _ fields: [String] = [],
        body: String = "the body",
        method: String
    ) -> ScriptStep {
        guard method == "HEAD" else { return .respond(status, fields, body: body) }
        let lines = ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + fields
        return .send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }
}
