private import EventLoops
public import Foundation
public import FoundationNetworking

extension NSURLConnection {
    // Marked safe: the pointer is written to once, before this returns.

    /// Loads a request and blocks the calling thread until the whole body is there.
    ///
    /// The calling thread's run loop is not run. The whole body is kept in memory. A server that asks
    /// who is there is told the user and the password of the URL, and nothing else. A status of 400
    /// and above is a success like any other, but for 401, which throws
    /// `URLError.userCancelledAuthentication` (-1012).
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/sendsynchronousrequest(_:returning:)>.
    ///
    /// - Parameters:
    ///   - request: What to load.
    ///   - response: Where to put the response; untouched when there is none.
    /// - Returns: The body, empty when there is none.
    /// - Throws: `URLError`. Called on the loader's loop, which it would block for ever, it stops the
    ///   program.
    @safe public class func sendSynchronousRequest(
        _ request: URLRequest,
        returning response: UnsafeMutablePointer<URLResponse?>?
    ) throws -> Data {
        precondition(
            !EventLoop.shared.isCurrent,
            "sendSynchronousRequest would block the loop that it waits for; "
                + "make a connection with a delegate instead"
        )
        let latch = Latch()
        let collector = Collector(request) { _ in latch.open() }
        collector.load()
        latch.wait()
        let result = collector.result
        if let response = unsafe response, let received = result.response {
            unsafe response.pointee = received
        }
        if let error = result.error { throw error }
        return result.data
    }

    /// Loads a request and calls `handler` on `queue` once, with the whole body or an error.
    ///
    /// On success data is there and the error is nil, also for a status of 400 and above. On failure
    /// the error is a `URLError` and the rest is nil. A final 401 gives the body together with the
    /// error `userCancelledAuthentication` (-1012); before that the user and the password of the URL
    /// were tried, if there are any. The whole body is kept in memory.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/sendasynchronousrequest(_:queue:completionhandler:)>.
    public class func sendAsynchronousRequest(
        _ request: URLRequest,
        queue: OperationQueue,
        completionHandler handler: @escaping @Sendable (URLResponse?, Data?, (any Error)?) -> Void
    ) {
        let delivery = OperationQueueDelivery(queue)
        let collector = Collector(request) { result in
            delivery.enqueue { result.tell(handler) }
        }
        collector.load()
    }

    /// Loads a request and returns the response and the whole body.
    ///
    /// The task that awaits it may be cancelled: the load ends, and `URLError.cancelled` is thrown.
    /// `queue` is where Apple's handler would run; here nothing of the caller's runs on it.
    ///
    /// - Throws: `URLError`, also for a final 401 (`userCancelledAuthentication`).
    public class func sendAsynchronousRequest(
        _ request: URLRequest,
        queue: OperationQueue
    ) async throws -> (URLResponse, Data) {
        let collector = Collector(request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                collector.whenDone { result in continuation.resume(with: result.success) }
                collector.load()
            }
        } onCancel: {
            collector.cancel()
        }
    }
}
