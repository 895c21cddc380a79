import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What swift-corelibs-foundation's TestURLSession asserts of redirects.
///
/// Foundation's name of each case stands above its test. See README.md for where the two differ.
@Suite("Foundation's URLSession: redirects", .timeLimit(.minutes(1)))
struct URLSessionRedirectTests {
    private let session = Session()

    /// A server that answers with a redirect, and then with a body.
    private func server(_ status: Int, method: String, next: String) throws -> ScriptedServer {
        try ScriptedServer([
            .waitForRequest,
            Session.respond(status, ["Location: jsonBody"], body: "moved", method: method),
            .waitForRequest, Session.respond(200, body: "there", method: next), .hold,
        ])
    }

    /// Asks for a redirect of that status, and compares every call.
    private func isFollowed(_ status: Int, method: String, next: String) async throws {
        let server = try server(status, method: method, next: next)
        let callbacks = try await session.load(server.request("/start", method: method))
        #expect(callbacks.all == [.redirect(status)] + Session.whole(200, method: next))
        #expect(callbacks.text == (next == "HEAD" ? "" : "there"))
        #expect(callbacks.proposals.map(\.httpMethod) == [next])
        #expect(server.requests.map(\.method) == [method, next])
        #expect(server.requests.map(\.target) == ["/start", "/jsonBody"])
    }

    // test_httpRedirectionWithCode300, test_httpRedirectionWithCode305_308 (305 and 306)
    @Test(
        "300, 305 and 306 are not followed",
        arguments: [300, 305, 306],
        Session.methods
    )
    func notFollowed(status: Int, method: String) async throws {
        let server = try server(status, method: method, next: method)
        let callbacks = try await session.load(server.request("/start", method: method))
        #expect(callbacks.all == Session.whole(status, method: method))
        #expect(callbacks.text == (method == "HEAD" ? "" : "moved"))
        #expect(server.requests.count == 1)
    }

    // test_httpRedirectionWithCode301_302
    @Test("301 and 302 turn POST into GET", arguments: [301, 302], Session.methods)
    func found(status: Int, method: String) async throws {
        try await isFollowed(status, method: method, next: method == "POST" ? "GET" : method)
    }

    // test_httpRedirectionWithCode303
    @Test("303 turns everything but HEAD into GET", arguments: Session.methods)
    func seeOther(method: String) async throws {
        try await isFollowed(303, method: method, next: method == "HEAD" ? "HEAD" : "GET")
    }

    // test_httpRedirectionWithCode304
    @Test("304 is no redirect, and has no body", arguments: Session.methods)
    func notModified(method: String) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 304 X\r\nLocation: jsonBody\r\n\r\n"), .hold,
        ])
        let callbacks = try await session.load(server.request("/start", method: method))
        #expect(callbacks.all == [.response(304), .complete])
        #expect(server.requests.count == 1)
    }

    // test_httpRedirectionWithCode305_308 (307 and 308)
    @Test("307 and 308 keep the method", arguments: [307, 308], Session.methods)
    func temporary(status: Int, method: String) async throws {
        try await isFollowed(status, method: method, next: method)
    }

    // test_dataTaskWithHTTPBodyRedirect
    @Test("A form that is posted and answered by a 303 is not sent again")
    func bodyRedirect() async throws {
        let server = try server(303, method: "POST", next: "GET")
        var request = server.request("/start", method: "POST")
        request.httpBody = Data("a=b".utf8)
        let callbacks = try await session.load(request)
        #expect(callbacks.text == "there")
        #expect(server.requests.map(\.bodyText) == ["a=b", ""])
    }

    // test_httpRedirectDontFollowUsingNil
    @Test("A redirect that the delegate refuses is the answer", arguments: Session.methods)
    func refused(method: String) async throws {
        let server = try server(302, method: method, next: method)
        let callbacks = try await session.load(
            server.request("/start", method: method),
            Callbacks { _, _ in nil }
        )
        #expect(callbacks.all == [.redirect(302)] + Session.whole(302, method: method))
        #expect(callbacks.text == (method == "HEAD" ? "" : "moved"))
        #expect(callbacks.response?.value(forHTTPHeaderField: "Content-Length") == "5")
        #expect(server.requests.count == 1)
    }

    // test_httpRedirectDontFollowIgnoringHandler
    @Test("While the delegate has not answered, nothing follows", arguments: Session.methods)
    func unanswered(method: String) async throws {
        let server = try server(302, method: method, next: method)
        let (asked, mayAnswer, answered) = (Gate(), Gate(), Gate())
        let callbacks = Callbacks { _, request in
            asked.open()
            try? mayAnswer.wait()
            answered.open()
            return request
        }
        let connection = try session.connection(
            server.request("/start", method: method),
            callbacks
        )
        // A thread of its own: Swift's pool has few.
        connection.setDelegateQueue(DispatchQueue(label: "a delegate that thinks"))
        connection.start()
        try await asked.opened()
        // Another load comes to its end meanwhile.
        let other = try ScriptedServer([.forever([.waitForRequest, .respond(200)])])
        try await session.load(other.request())
        #expect(callbacks.all == [.redirect(302)])
        connection.cancel()
        mayAnswer.open()
        try await answered.opened()
        try await session.load(other.request())
        #expect(callbacks.all == [.redirect(302)])
        #expect(server.requests.count == 1)
    }

    // MARK: - Locations

    // test_httpRedirectionWithCompleteRelativePath
    @Test("A location may be a whole URL of another server")
    func completeLocation() async throws {
        let other = try ScriptedServer([.waitForRequest, .respond(200, body: "there")])
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: \(other.url("/there"))"], body: "moved"),
        ])
        let callbacks = try await session.load(server.request("/here"))
        #expect(callbacks.all == [.redirect(302), .response(200), .data, .complete])
        #expect(callbacks.response?.url == other.url("/there"))
        #expect(other.requests.map(\.target) == ["/there"])
    }

    // test_httpRedirectionWithInCompleteRelativePath
    @Test("A location may be the last part of a path")
    func incompleteLocation() async throws {
        let server = try server(302, method: "GET", next: "GET")
        let callbacks = try await session.load(server.request("/folder/start"))
        #expect(callbacks.text == "there")
        #expect(server.requests.map(\.target) == ["/folder/start", "/folder/jsonBody"])
    }

    // test_httpRedirectionWithDefaultPort
    @Test("A location without a port does not get the port of the old URL")
    func defaultPort() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: http://127.0.0.1/there"], body: "moved"),
        ])
        let callbacks = try await session.load(server.request(), Callbacks { _, _ in nil })
        #expect(callbacks.all == [.redirect(302), .response(302), .data, .complete])
        #expect(callbacks.proposals.map(\.url?.absoluteString) == ["http://127.0.0.1/there"])
    }

    // test_httpRedirectionWithEncodedQuery
    @Test("The query of a location is sent")
    func query() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(303, ["Location: echo?a=b%20c"]),
            .waitForRequest, .respond(200, body: "there"),
        ])
        let callbacks = try await session.load(server.request("/start?location=echo%3Fa%3Db"))
        #expect(callbacks.text == "there")
        #expect(server.requests.map(\.target).last == "/echo?a=b%20c")
    }

    // test_httpRedirectionTimeout
    @Test("A redirect to a port that nobody listens on fails with the new URL")
    func closedPort() async throws {
        let closed = try ScriptedServer([])
        closed.stop()
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: \(closed.url("/there"))"]),
        ])
        let callbacks = try await session.load(server.request(timeout: 3))
        #expect(callbacks.all == [.redirect(302), .failed(.cannotConnectToHost)])
        #expect(callbacks.error?.failingURL == closed.url("/there"))
    }

    // test_willPerformRedirect
    @Test("The delegate is shown the request that the redirect leads to")
    func proposal() async throws {
        let server = try server(302, method: "GET", next: "GET")
        let callbacks = try await session.load(server.request("/redirect/1"))
        #expect(callbacks.proposals.map(\.url) == [server.url("/redirect/jsonBody")])
    }

    // MARK: - Chains

    /// A server that redirects for ever, counting down.
    private func chain(of count: Int, method: String) throws -> ScriptedServer {
        let steps = (0..<count).reversed().flatMap { number in
            [
                .waitForRequest,
                Session.respond(302, ["Location: /redirect/\(number)"], method: method),
            ] as [ScriptStep]
        }
        return try ScriptedServer(
            steps + [.waitForRequest, Session.respond(200, body: "there", method: method), .hold]
        )
    }

    // test_httpRedirectionChainInheritsTimeoutInterval
    @Test("Each request of a chain has the time-out of the first", arguments: Session.methods)
    func timeOut(method: String) async throws {
        let server = try chain(of: 4, method: method)
        let request = server.request("/redirect/4", method: method, timeout: 3)
        let callbacks = try await session.load(request)
        #expect(callbacks.proposals.map(\.timeoutInterval) == [3, 3, 3, 3])
        #expect(callbacks.response?.statusCode == 200)
    }

    // test_httpRedirectionExceededMaxRedirects
    @Test("Twenty redirects are told, and the next one fails", arguments: Session.methods)
    func tooMany(method: String) async throws {
        let server = try chain(of: 99, method: method)
        let request = server.request("/redirect/99", method: method)
        let callbacks = try await session.load(request)
        let told = [Callbacks.Callback](repeating: .redirect(302), count: 20)
        #expect(callbacks.all == told + [.failed(.httpTooManyRedirects)])
        #expect(callbacks.proposals.last?.url == server.url("/redirect/79"))
        #expect(callbacks.error?.failingURL == server.url("/redirect/79"))
        #expect(server.requests.count == 21)
    }
}
