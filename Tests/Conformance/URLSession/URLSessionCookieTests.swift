import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What swift-corelibs-foundation's TestURLSession asserts of cookies and of passwords.
///
/// Foundation's name of each case stands above its test. See README.md for where the two differ.
@Suite("Foundation's URLSession: cookies and passwords", .timeLimit(.minutes(1)))
struct URLSessionCookieTests {
    private let session = Session()

    /// One cookie for the server, and one for somebody else.
    private let fields = [
        "Set-Cookie: mine=abc&1; Max-Age=7776000; Path=/",
        "Set-Cookie: other=def&2; Max-Age=7776000; Path=/; Domain=.elsewhere.test; Secure; HttpOnly",
    ]

    private func server() throws -> ScriptedServer {
        try ScriptedServer([
            .waitForRequest, .respond(200, fields, body: "a"),
            .waitForRequest, .respond(200, body: "b"), .hold,
        ])
    }

    // test_cookiesStorage
    @Test("A cookie of the server's is stored, and one for another domain is not")
    func stored() async throws {
        let server = try server()
        let callbacks = try await session.load(server.request(method: "POST"))
        #expect(callbacks.response?.value(forHTTPHeaderField: "Set-Cookie") != nil)
        #expect(session.cookies.cookies.map(\.name) == ["mine"])
        #expect(session.cookies.cookies.map(\.value) == ["abc&1"])
    }

    // test_disableCookiesStorage
    @Test("With the policy that takes none, nothing is stored, and the response shows them")
    func disabled() async throws {
        session.cookies.acceptPolicy = .never
        let server = try server()
        let callbacks = try await session.load(server.request(method: "POST"))
        #expect(callbacks.response?.value(forHTTPHeaderField: "Set-Cookie") != nil)
        #expect(session.cookies.cookies.isEmpty)
    }

    // test_previouslySetCookiesAreSentInLaterRequests
    @Test("What one response sets, the next request carries")
    func sentLater() async throws {
        let server = try server()
        try await session.load(server.request("/first", method: "POST"))
        try await session.load(server.request("/second", method: "POST"))
        #expect(server.requests.map { $0["Cookie"] } == [nil, "mine=abc&1"])
    }

    // test_redirectionWithSetCookies
    @Test("What a redirect sets, the request behind it carries")
    func redirect() async throws {
        let server = try ScriptedServer([
            .waitForRequest,
            .respond(302, ["location: /echo", "Set-Cookie: redirect=true; Max-Age=77; path=/"]),
            .waitForRequest, .respond(200, body: "a"),
        ])
        let callbacks = try await session.load(server.request())
        #expect(callbacks.all == [.redirect(302), .response(200), .data, .complete])
        #expect(server.requests.map { $0["Cookie"] } == [nil, "redirect=true"])
    }

    // test_setCookieHeadersCanBeIgnored
    @Test("A request that handles no cookies neither stores nor carries any")
    func ignored() async throws {
        let server = try server()
        var first = server.request("/first", method: "POST")
        first.httpShouldHandleCookies = false
        try await session.load(first)
        #expect(session.cookies.cookies.isEmpty)
        try await session.load(server.request("/second", method: "POST"))
        #expect(server.requests.map { $0["Cookie"] } == [nil, nil])
    }

    // test_cookieStorageForEphemeralConfiguration
    @Test("Sessions with stores of their own share no cookies")
    func ephemeral() async throws {
        let server = try server()
        try await session.load(server.request("/first", method: "POST"))
        let other = Session()
        let again = try self.server()
        try await other.load(again.request("/first", method: "GET"))
        #expect(session.cookies.cookies.count == 1)
        #expect(other.cookies.cookies.count == 1)
        #expect(again.requests.map { $0["Cookie"] } == [nil])
        #expect(Session().cookies.cookies.isEmpty)
    }

    // test_basicAuthWithUnauthorizedHeader
    @Test("A 401 that names no method is a response like any other")
    func unauthorized() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(401)])
        let callbacks = try await session.load(server.request("/unauthorized"))
        #expect(callbacks.all == [.response(401), .complete])
    }

    // test_basicAuthRequest
    @Test("A 401 that asks for a password is answered with the delegate's")
    func basic() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(401, ["WWW-Authenticate: Basic realm=\"a realm\""]),
            .waitForRequest, .respond(200, body: "opened"),
        ])
        let credential = URLCredential(user: "user", password: "passwd", persistence: .none)
        let callbacks = try await session.load(
            server.request("/auth/basic"),
            Callbacks(credential: credential)
        )
        #expect(callbacks.all == [.challenge, .response(200), .data, .complete])
        #expect(
            server.requests.map { $0["Authorization"] }
                == [nil, "Basic \(Data("user:passwd".utf8).base64EncodedString())"]
        )
    }
}
