import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What swift-corelibs-foundation's TestURLSession asserts of plain loads and of their end.
///
/// Foundation's name of each case stands above its test. See README.md for where the two differ.
@Suite("Foundation's URLSession: loads", .timeLimit(.minutes(1)))
struct URLSessionLoadTests {
    private let session = Session()

    // MARK: - Success

    // test_dataTaskWithURL, test_dataTaskWithURLRequest
    @Test("A delegate hears the response, the data and the end")
    func get() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "a capital")])
        let callbacks = try await session.load(URLRequest(url: server.url("/country")))
        #expect(callbacks.all == [.response(200), .data, .complete])
        #expect(callbacks.text == "a capital")
        #expect(server.requests.map(\.method) == ["GET"])
    }

    // test_dataTaskWithURLCompletionHandler, test_dataTaskWithURLRequestCompletionHandler
    @Test("A handler gets the response and the data, and no error")
    func handler() async throws {
        let server = try ScriptedServer([
            .again(times: 2, [.waitForRequest, .respond(200, body: "a capital")])
        ])
        let (response, data) = try await NSURLConnection.sendAsynchronousRequest(
            server.request("/country"),
            queue: OperationQueue()
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(data == Data("a capital".utf8))

        let outcome = try await outcome(of: server.request("/country"))
        #expect(outcome == Outcome(status: 200, data: data, code: nil))
    }

    /// What the handler of a request was called with.
    private struct Outcome: Equatable {
        let status: Int?
        let data: Data?
        let code: URLError.Code?
    }

    private func outcome(of request: URLRequest) async throws -> Outcome {
        await withCheckedContinuation { continuation in
            NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue()) {
                let outcome = Outcome(
                    status: ($0 as? HTTPURLResponse)?.statusCode,
                    data: $1,
                    code: ($2 as? URLError)?.code
                )
                continuation.resume(returning: outcome)
            }
        }
    }

    // test_gzippedDataTask
    @Test("A body in gzip is told decoded")
    func gzip() async throws {
        let coded: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xF3, 0x48, 0xCD, 0xC9,
            0xC9, 0xD7, 0x51, 0x48, 0xAF, 0xCA, 0x2C, 0x50, 0x04, 0x00, 0x3E, 0x3D, 0x0F, 0x10,
            0x0C, 0x00, 0x00, 0x00,
        ]
        let fields = "Content-Length: \(coded.count)\r\nContent-Encoding: gzip\r\n\r\n"
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\n\(fields)"), .send(coded),
        ])
        let callbacks = try await session.load(server.request())
        #expect(callbacks.text == "Hello, gzip!")
    }

    // test_dataTaskWithSharedDelegate
    @Test("One delegate may serve several connections")
    func sharedDelegate() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "one")])])
        let shared = SharedDelegate(count: 2)
        let connections = try (1...2).map { _ in
            try session.connection(server.request(), shared)
        }
        for connection in connections { connection.start() }
        try await shared.ended.opened()
        #expect(shared.bodies(of: connections) == ["one", "one"])
    }

    // test_concurrentRequests
    @Test("Loads that several threads start at once all come whole")
    func concurrent() async throws {
        let server = try ScriptedServer([
            .forever([.waitForRequest, .respond(200, body: "a capital")])
        ])
        let request = server.request()
        let delegates = (1...10).map { _ in Callbacks() }
        await withTaskGroup(of: Void.self) { group in
            for delegate in delegates {
                group.addTask { [session] in
                    try? session.connection(request, delegate).start()
                }
            }
        }
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.all == [.response(200), .data, .complete])
            #expect(delegate.text == "a capital")
        }
    }

    // test_repeatedRequestsStress
    @Test("Two hundred loads, each in a session of its own, come whole")
    func repeated() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "a capital")])
        for _ in 1...200 {
            let callbacks = try await Session().load(server.request())
            #expect(callbacks.all == [.response(200), .data, .complete])
        }
        #expect(server.requests.count == 200)
    }

    // test_verifyRequestHeaders
    @Test("Fields that the caller sets are sent, whatever becomes of the request afterwards")
    func fields() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "a")])
        var request = server.request(method: "POST", fields: ["header1": "value1"])
        let callbacks = Callbacks()
        let connection = try session.connection(request, callbacks)
        request.allHTTPHeaderFields = nil
        connection.start()
        try await callbacks.ended()
        #expect(server.requests.map { $0["header1"] } == ["value1"])
        #expect(connection.originalRequest.value(forHTTPHeaderField: "header1") == "value1")
    }

    // MARK: - Odd responses

    // test_httpNotFound
    @Test("A 404 is a response with a body, and no failure")
    func notFound() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(404, body: "none")])
        let callbacks = try await session.load(server.request("/404"))
        #expect(callbacks.all == [.response(404), .data, .complete])
        #expect(callbacks.text == "none")
    }

    // test_http0_9SimpleResponses
    @Test("HTTP/0.9 is refused", arguments: ["1234567890", "plain text,\r\nand more\r\n"])
    func simpleResponse(text: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .send(text), .finish])
        let callbacks = try await session.load(server.request())
        #expect(callbacks.all == [.failed(.cannotParseResponse)])
    }

    // test_outOfRangeButCorrectlyFormattedHTTPCode
    @Test("A status of 999 is told as it is")
    func outOfRange() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 999 Odd\r\nX-Field: a\r\n\r\n"), .finish,
        ])
        let callbacks = try await session.load(server.request())
        #expect(callbacks.all == [.response(999), .complete])
    }

    // test_missingContentLengthButStillABody
    @Test("A body that nothing announces ends with the network connection")
    func noLength() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\n\r\na body\r\n"), .finish,
        ])
        let callbacks = try await session.load(server.request())
        #expect(callbacks.all == [.response(200), .data, .complete])
        #expect(callbacks.text == "a body\r\n")
        #expect(callbacks.response?.expectedContentLength == -1)
    }

    // test_illegalHTTPServerResponses
    @Test(
        "A response that is none fails, and neither response nor data is told",
        arguments: ["HTTP/1.1\r\n\r\n\r\n", "HTTP/1.1 20 X\r\n\r\n", "HTTP/1.1 2000 X\r\n\r\n"]
    )
    func illegalResponse(text: String) async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .send(text), .finish])])
        let callbacks = try await session.load(server.request())
        #expect(callbacks.all == [.failed(.cannotParseResponse)])
        let outcome = try await outcome(of: server.request())
        #expect(outcome == Outcome(status: nil, data: nil, code: .cannotParseResponse))
    }

    // MARK: - Errors

    // test_taskError, test_timeoutInterval
    @Test("A URL with a port that there can't be is a bad one")
    func badPort() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:65536/country"))
        let outcome = try await outcome(of: URLRequest(url: url, timeoutInterval: 1))
        #expect(outcome == Outcome(status: nil, data: nil, code: .badURL))
    }

    // test_unhandledURLProtocol
    @Test("A scheme that nobody handles is not supported")
    func unknownScheme() async throws {
        let url = try #require(URL(string: "foobar://127.0.0.1/country"))
        let outcome = try await outcome(of: URLRequest(url: url))
        #expect(outcome == Outcome(status: nil, data: nil, code: .unsupportedURL))
    }

    // test_requestToNilURL
    @Test("A request without a URL is a bad one")
    func noURL() async throws {
        let url = try #require(URL(string: "http://127.0.0.1/country"))
        var request = URLRequest(url: url)
        request.url = nil
        let outcome = try await outcome(of: request)
        #expect(outcome == Outcome(status: nil, data: nil, code: .badURL))
    }

    // MARK: - Cancelling

    // test_cancelTask
    @Test("A load that is cancelled before its answer tells nothing")
    func cancel() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold])
        let callbacks = Callbacks()
        let connection = try session.connection(server.request(), callbacks)
        connection.start()
        try await server.received(requests: 1)
        connection.cancel()
        try await server.closedByClient(connections: 1)
        #expect(callbacks.all.isEmpty)
    }

    // test_cancelledTasksCannotBeResumed
    @Test("A connection that was cancelled does not start")
    func cancelBeforeStart() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "a")])
        let cancelled = Callbacks()
        let connection = try session.connection(server.request("/cancelled"), cancelled)
        connection.cancel()
        connection.start()
        // What would have been sent first is not what arrives.
        try await session.load(server.request("/later"))
        #expect(server.requests.map(\.target) == ["/later"])
        #expect(cancelled.all.isEmpty)
    }

    // test_noDoubleCallbackWhenCancellingAndProtocolFailsFast
    @Test("A load that fails at once is told once, or not at all when it is cancelled first")
    func cancelFailure() async throws {
        let request = URLRequest(url: try #require(URL(string: "failfast://bogus")))
        let server = try ScriptedServer([.forever([.waitForRequest, .respond(200)])])
        for isCancelled in [false, true] {
            let queue = OperationQueue()
            queue.isSuspended = true
            let callbacks = Callbacks()
            let connection = try session.connection(request, callbacks, queue: queue)
            connection.start()
            // The failure is on its way to the queue when another load has come to its end.
            try await session.load(server.request())
            if isCancelled { connection.cancel() }
            queue.isSuspended = false
            let reached = Gate()
            queue.addBarrierBlock { reached.open() }
            try await reached.opened()
            #expect(callbacks.all == (isCancelled ? [] : [.failed(.unsupportedURL)]))
        }
    }

    // MARK: - Time

    // test_taskTimeout
    @Test("A load that comes in time is not given up")
    func inTime() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "a capital")])
        let callbacks = try await session.load(server.request(timeout: 5))
        #expect(callbacks.all == [.response(200), .data, .complete])
    }

    // test_httpTimeout
    @Test("A server that says nothing is given up")
    func timeOut() async throws {
        let server = try ScriptedServer([.waitForRequest, .hold])
        let callbacks = try await session.load(server.request("/slow", timeout: 0.2))
        #expect(callbacks.all == [.failed(.timedOut)])
        #expect(callbacks.error?.failingURL == server.url("/slow"))
    }
}
