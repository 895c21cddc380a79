import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What WinObjC's functional tests of NSURLConnection assert, in words of our own.
///
/// See README.md for what is left out.
@Suite("WinObjC", .timeLimit(.minutes(1)))
struct WinObjCTests {
    /// Where the delegate is called.
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case serialQueue = "a serial queue"
        case otherRunLoop = "another thread's run loop"

        var testDescription: String { rawValue }
    }

    /// Loads, and looks whether each message was told in the right place.
    private func load(_ request: URLRequest, in place: Place) async throws -> RecordingDelegate {
        let delegate = RecordingDelegate(keepsSentBody: true)
        let made = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
        let connection = try #require(made)
        switch place {
        case .serialQueue:
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            connection.setDelegateQueue(queue)
            connection.start()
            try await delegate.ended()
            #expect(delegate.messages.allSatisfy { $0.operationQueue === queue })
        case .otherRunLoop:
            let other = try RunningThread()
            connection.schedule(in: other.runLoop, forMode: .default)
            connection.start()
            try await delegate.ended()
            #expect(delegate.messages.allSatisfy { $0.thread == other.thread })
            try await other.stop()
        }
        #expect(delegate.faults.isEmpty)
        #expect(delegate.error == nil)
        return delegate
    }

    // 5.4 (1): 200 behind a redirect that sets a cookie
    @Test("A redirect, a response, data and the end", arguments: Place.allCases)
    func found(place: Place) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: /next", "Set-Cookie: a=b"]),
            .waitForRequest, .respond(200, ["Content-Type: text/html"], body: "<p>Hello"),
        ])
        let delegate = try await load(server.request("/first"), in: place)
        #expect(delegate.messages.map(\.message) == [.response(200), .data(8), .finished])
        #expect(delegate.response?.statusCode == 200)
        #expect(delegate.response?.url == server.url("/next"))
    }

    // 5.4 (2): 404 with an empty body
    @Test("A response and the end, without data", arguments: Place.allCases)
    func notFound(place: Place) async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(404)])
        let delegate = try await load(server.request("/nothing"), in: place)
        #expect(delegate.messages.map(\.message) == [.response(404), .finished])
    }

    // 5.4 (3): POST of 32 KiB and one byte as data and from a stream, whose bytes the answer contains
    @Test(
        "A body of 32 KiB and one byte goes there and back",
        arguments: Place.allCases,
        [false, true]
    )
    func post(place: Place, isStream: Bool) async throws {
        let bytes = (0..<32 * 1_024 + 1).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        let echo = String(decoding: bytes, as: UTF8.self)
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "data=\(echo)")])
        var request = server.request("/post", method: "POST")
        if isStream {
            request.httpBodyStream = InputStream(data: Data(bytes))
            request.setValue("\(bytes.count)", forHTTPHeaderField: "Content-Length")
        } else {
            request.httpBody = Data(bytes)
        }
        let delegate = try await load(request, in: place)
        #expect(
            delegate.transcript == [
                .sentBody(bytes.count), .response(200), .data(bytes.count + 5), .finished,
            ]
        )
        #expect(server.requests.map(\.body) == [bytes])
        #expect(server.requests.map { $0["Content-Length"] } == ["\(bytes.count)"])
        #expect(delegate.body.dropFirst(5) == Data(bytes))
    }

    // 5.4 (4): a synchronous load
    @Test("A synchronous load returns what came")
    func synchronous() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "Hello")])
        let request = server.request()
        let data = try await onThread {
            try NSURLConnection.sendSynchronousRequest(request, returning: nil)
        }
        #expect(data == Data("Hello".utf8))
    }
}
