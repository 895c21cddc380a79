private import EventLoops
internal import Foundation
internal import FoundationNetworking

/// The delegate behind the convenience methods: it collects one load and tells the result once.
///
/// It hears on the loop; whoever it tells must not block.
final class Collector: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // All state is guarded.
    private struct State {
        var result = CollectedResult()
        var handler: (@Sendable (CollectedResult) -> Void)?
        var connection: NSURLConnection?
        var isDone = false
    }

    private let request: URLRequest
    private let state: Guarded<State>

    /// Makes a collector that calls `handler` on the loop, or where it is cancelled.
    init(_ request: URLRequest, _ handler: (@Sendable (CollectedResult) -> Void)? = nil) {
        self.request = request
        state = Guarded(State(handler: handler))
    }

    /// What came so far.
    var result: CollectedResult { state.withLock { $0.result } }

    /// Sets who is told of the end.
    func whenDone(_ handler: @escaping @Sendable (CollectedResult) -> Void) {
        state.withLock { $0.handler = handler }
    }

    /// Begins to load; a collector that was cancelled before tells so at once.
    func load() {
        let connection = NSURLConnection(request: request, delegate: self, startImmediately: false)
        connection?.setDelivery(.onLoop)
        let isCancelled = state.withLock { state in
            state.connection = connection
            return state.isDone
        }
        if isCancelled { cancel() } else { connection?.start() }
    }

    /// Ends the load; the result is `URLError.cancelled`.
    func cancel() {
        state.withLock { $0.connection }?.cancel()
        let failure = Failure(.cancelled, "The task that waited for the load was cancelled.")
        end { $0.error = failure.error(for: request.url) }
    }

    /// As Apple has it: credentials come from the URL alone.
    func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool {
        false
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        state.withLock { state in
            state.result.response = response
            state.result.data = Data()
        }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        state.withLock { $0.result.data.append(data) }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        end { result in
            // No credential could satisfy the server: Apple's convenience methods call it an error.
            guard (result.response as? HTTPURLResponse)?.statusCode == 401 else { return }
            let failure = Failure(
                .userCancelledAuthentication,
                "The server asks for a user and a password, and those of the URL, if there are any, "
                    + "don't let in; make a connection with a delegate."
            )
            result.error = failure.error(for: result.response?.url)
            result.response = nil
        }
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        end { $0.error = error }
    }

    private func end(_ change: (inout CollectedResult) -> Void) {
        let (result, handler) = state.withLock { state in
            if !state.isDone { change(&state.result) }
            state.isDone = true
            state.connection = nil
            defer { state.handler = nil }
            return (state.result, state.handler)
        }
        handler?(result)
    }
}

/// What a load that was collected came to.
struct CollectedResult: Sendable {
    var response: URLResponse?
    var data = Data()
    var error: (any Error)?

    /// The response and the body, or the error.
    var success: Result<(URLResponse, Data), any Error> {
        if let error { return .failure(error) }
        guard let response else { return .failure(URLError(.badServerResponse)) }
        return .success((response, data))
    }

    /// Calls a completion handler as Apple does: data with an error only after a 401.
    func tell(_ handler: (URLResponse?, Data?, (any Error)?) -> Void) {
        let isRefused = (error as? URLError)?.code == .userCancelledAuthentication
        if error == nil {
            handler(response, data, nil)
        } else {
            handler(nil, isRefused ? data : nil, error)
        }
    }
}
