import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What swift-corelibs-foundation's TestURLProtocol asserts of handlers in place of a server.
///
/// Foundation's name of each case stands above its test. See README.md for what is left out.
@Suite("Foundation's URLProtocol", .timeLimit(.minutes(1)), .serialized)
struct URLProtocolTests {
    private let session = Session()

    private func request(_ path: String, scheme: String = "http") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "\(scheme)://\(StandIn.host)/\(path)")))
    }

    /// Does something while handlers are registered, the first one asked first.
    private func with<Result>(
        _ types: [URLProtocol.Type],
        _ body: () async throws -> Result
    ) async throws -> Result {
        for type in types.reversed() { NSURLConnection.registerProtocol(type) }
        defer { for type in types { NSURLConnection.unregisterProtocol(type) } }
        return try await body()
    }

    // test_interceptResponse, test_customProtocolResponseWithDelegate,
    // test_customProtocolSetDataInResponseWithDelegate
    @Test("A handler answers in place of the server")
    func interceptResponse() async throws {
        let callbacks = try await with([RefusingStandIn.self]) {
            try await session.load(try request("any"))
        }
        #expect(callbacks.all == [.response(429), .data, .complete])
        #expect(callbacks.text == "too often")
    }

    // test_interceptRequest
    @Test("A handler takes a scheme of its own, and says which URL its answer has")
    func interceptRequest() async throws {
        let callbacks = try await with([SchemeStandIn.self]) {
            try await session.load(try request("any", scheme: "ssh"))
        }
        #expect(callbacks.all == [.response(200), .complete])
        #expect(callbacks.response?.url == URL(string: "http://elsewhere.test"))
    }

    // test_multipleCustomProtocols
    @Test("Of several handlers the first that takes the request answers")
    func several() async throws {
        let callbacks = try await with([SchemeStandIn.self, RefusingStandIn.self]) {
            try await session.load(try request("any"))
        }
        #expect(callbacks.response?.statusCode == 429)
    }

    // test_finishLoadingWithNoResponse
    @Test("A handler that ends without a response makes a failure")
    func noResponse() async throws {
        let callbacks = try await with([SilentStandIn.self]) {
            try await session.load(try request("any", scheme: "https"))
        }
        #expect(callbacks.all == [.failed(.badServerResponse)])
    }

    // test_incrementalDataWithDelegate
    @Test("A delegate hears every piece in order")
    func pieces() async throws {
        let callbacks = try await with([StandIn.self]) {
            try await session.load(try request("multiple"))
        }
        #expect(callbacks.all == [.response(203), .data, .complete])
        #expect(callbacks.body == Data([0x00, 0x66, 0xFF, 0x41]))
    }

    // test_incrementalDataWithCompletionHandler, test_incrementalDataWithRequestCompletionHandler,
    // test_incrementalDataWithAsyncConveniences
    @Test(
        "A handler's pieces are one body",
        arguments: [("empty", 0), ("single", 1), ("multiple", 2)]
    )
    func whole(path: String, count: Int) async throws {
        let (response, data) = try await with([StandIn.self]) {
            try await NSURLConnection.sendAsynchronousRequest(
                try request(path),
                queue: OperationQueue()
            )
        }
        #expect(data == Data(count == 0 ? [] : [0x00, 0x66, 0xFF, 0x41]))
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.statusCode == 203)
        #expect(http.value(forHTTPHeaderField: "x-pieces") == "\(count)")
    }

    // test_incrementalDataFailureDoesNotReturnPartialBody
    @Test("A failure behind some pieces is told to a delegate, and leaves no body to a handler")
    func failure() async throws {
        try await with([StandIn.self]) {
            let callbacks = try await session.load(try request("failure"))
            #expect(
                callbacks.all == [.response(203), .data, .failed(.networkConnectionLost)]
            )
            let error = await #expect(throws: URLError.self) {
                try await NSURLConnection.sendAsynchronousRequest(
                    try request("failure"),
                    queue: OperationQueue()
                )
            }
            #expect(error?.code == .networkConnectionLost)
        }
    }
}
