import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What swift-corelibs-foundation's TestURLSession asserts of bodies that are sent.
///
/// Foundation's name of each case stands above its test. See README.md for where the two differ.
@Suite("Foundation's URLSession: bodies", .timeLimit(.minutes(1)))
struct URLSessionBodyTests {
    private let session = Session()

    private func server(for method: String) throws -> ScriptedServer {
        try ScriptedServer([.waitForRequest, Session.respond(200, method: method), .hold])
    }

    private static let types = ["text/plain; charset=utf-8", nil]

    // test_requestWithEmptyBody
    @Test(
        "A request without a body, or with an empty one, gets no type that it did not have",
        arguments: Session.methods,
        [nil, Data()] as [Data?]
    )
    func emptyBody(method: String, body: Data?) async throws {
        for type in Self.types {
            let server = try server(for: method)
            var request = server.request("/empty", method: method)
            request.httpBody = body
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            let callbacks = try await session.load(request)
            #expect(callbacks.all == Session.whole(200, method: method))
            let received = try #require(server.requests.first)
            #expect(received["Content-Type"] == type)
            #expect(received.body.isEmpty)
        }
    }

    // test_postWithEmptyBody
    @Test("A POST without a body is no form, and says that it is empty")
    func emptyPost() async throws {
        let server = try server(for: "POST")
        let callbacks = try await session.load(server.request(method: "POST"))
        #expect(callbacks.response?.statusCode == 200)
        let received = try #require(server.requests.first)
        #expect(received["Content-Type"] == nil)
        #expect(received["Content-Length"] == "0")
    }

    // test_requestWithNonEmptyBody
    @Test("Each method that may have a body sends it", arguments: ["PUT", "POST", "DELETE"])
    func body(method: String) async throws {
        for type in Self.types {
            let server = try server(for: method)
            var request = server.request("/body", method: method)
            request.httpBody = Data("What a request says".utf8)
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            let callbacks = try await session.load(request)
            #expect(callbacks.all == [.sent] + Session.whole(200, method: method))
            let received = try #require(server.requests.first)
            #expect(received.bodyText == "What a request says")
            #expect(received["Content-Length"] == "19")
            // Only a POST is taken for a form.
            let form = method == "POST" ? "application/x-www-form-urlencoded" : nil
            #expect(received["Content-Type"] == type ?? form)
        }
    }

    // test_requestWithNonEmptyBody
    @Test("GET and HEAD with a body fail before anything is sent", arguments: ["GET", "HEAD"])
    func refusedBody(method: String) async throws {
        let server = try server(for: method)
        var request = server.request("/body", method: method)
        request.httpBody = Data("What a request says".utf8)
        let callbacks = try await session.load(request)
        #expect(callbacks.all == [.failed(.dataLengthExceedsMaximum)])
        #expect(callbacks.error?.failingURL == server.url("/body"))
        #expect(server.connectionCount == 0)
    }

    // MARK: - Uploads

    // test_dataTaskWithHttpInputStream
    @Test("A body from a stream goes out in chunks", arguments: ["PUT", "POST", "DELETE"])
    func stream(method: String) async throws {
        let text = String(repeating: "a text that is a little longer; ", count: 50)
        for type in Self.types {
            let server = try server(for: method)
            var request = server.request("/body", method: method)
            request.httpBodyStream = InputStream(data: Data(text.utf8))
            request.setValue("en-us", forHTTPHeaderField: "Accept-Language")
            request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            let callbacks = try await session.load(request)
            #expect(callbacks.all == [.sent] + Session.whole(200, method: method))
            let received = try #require(server.requests.first)
            #expect(received.bodyText == text)
            #expect(received.values(for: "Transfer-Encoding") == ["chunked"])
            #expect(received["Accept-Language"] == "en-us")
            let form = method == "POST" ? "application/x-www-form-urlencoded" : nil
            #expect(received["Content-Type"] == type ?? form)
        }
    }

    // test_dataTaskWithHttpInputStream
    @Test("GET and HEAD with a stream fail before anything is sent", arguments: ["GET", "HEAD"])
    func refusedStream(method: String) async throws {
        let server = try server(for: method)
        var request = server.request("/body", method: method)
        request.httpBodyStream = InputStream(data: Data("What a request says".utf8))
        let callbacks = try await session.load(request)
        #expect(callbacks.all == [.failed(.dataLengthExceedsMaximum)])
        #expect(callbacks.error?.failingURL == server.url("/body"))
        #expect(server.connectionCount == 0)
    }

    // test_simpleUploadWithDelegate
    @Test("The delegate is told of every byte that goes out")
    func upload() async throws {
        let server = try server(for: "PUT")
        var request = server.request("/upload", method: "PUT")
        request.httpBody = Data(count: 16 * 1024)
        let callbacks = try await session.load(request)
        #expect(callbacks.all == [.sent] + Session.whole(200, method: "PUT"))
        #expect(callbacks.sentBytes == 16 * 1024)
        #expect(server.requests.first?.body.count == 16 * 1024)
    }

    // test_simpleUploadWithDelegateProvidingInputStream
    @Test("The delegate's own stream is sent where one is needed", arguments: ["PUT", "POST"])
    func ownStream(method: String) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(307, ["Location: /next"]),
            .waitForRequest, .respond(200, body: "a"), .hold,
        ])
        var request = server.request("/upload", method: method)
        request.httpBodyStream = InputStream(data: Data("the first stream".utf8))
        let own = Data(count: 16 * 1024)
        let callbacks = try await session.load(
            request,
            Callbacks(newStream: { InputStream(data: own) })
        )
        #expect(
            callbacks.all == [
                .sent, .redirect(307), .newStream, .sent, .response(200), .data, .complete,
            ]
        )
        #expect(callbacks.sentBytes == 16 * 1024)
        #expect(server.requests.map(\.body.count) == [16, 16 * 1024])
    }
}
