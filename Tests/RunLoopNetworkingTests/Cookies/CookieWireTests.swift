import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Cookies on the wire", .timeLimit(.minutes(1)))
struct CookieWireTests {
    private let loop = TestLoop()
    private let store = CookieStore()

    init() {
        loop.loop.connectionSettings.cookieStore = store
    }

    /// Answers one request after another, each with a response that is written down.
    private func server(_ responses: ScriptStep...) throws -> ScriptedServer {
        try ScriptedServer(responses.flatMap { [.waitForRequest, $0] })
    }

    private func cookies(of server: ScriptedServer) -> [[String]] {
        server.requests.map { $0.values(for: "Cookie") }
    }

    private func load(_ request: URLRequest) async throws {
        let delegate = try await RunLoopNetworkingTests.load(request, loop: loop.loop)
        #expect(delegate.faults.isEmpty)
        #expect(delegate.transcript.last == .finished)
    }

    // B052
    @Test("A value keeps its equals signs and colons, and one Cookie field is sent")
    func b052OneFieldWithWholeValues() async throws {
        let server = try server(
            .respond(200, ["Set-Cookie: tok=YWJj==:x/y; Path=/", "Set-Cookie: plain=1"]),
            .respond(200),
            .respond(200)
        )
        for _ in 0..<2 { try await load(server.request()) }
        var request = server.request()
        request.setValue("mine=2", forHTTPHeaderField: "cookie")
        try await load(request)
        #expect(cookies(of: server) == [[], ["tok=YWJj==:x/y; plain=1"], ["mine=2"]])
    }

    // B054
    @Test("Two Set-Cookie lines are two cookies, with their dates")
    func b054LinesAreNotJoined() async throws {
        let server = try server(
            .respond(
                200,
                [
                    "Set-Cookie: a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/",
                    "Set-Cookie: b=2; Expires=Thu, 22 Oct 2037 07:28:00 GMT",
                ]
            )
        )
        let delegate = try await RunLoopNetworkingTests.load(server.request(), loop: loop.loop)
        let fields = try #require(delegate.response?.allHeaderFields as? [String: String])
        let parsed = HTTPCookie.cookies(withResponseHeaderFields: fields, for: server.url())
        for cookies in [store.cookies, parsed] {
            #expect(cookies.map(\.name) == ["a", "b"])
            #expect(cookies.map(\.value) == ["1", "2"])
            #expect(
                cookies.map { $0.expiresDate?.timeIntervalSince1970 } == [
                    2_139_722_880, 2_139_809_280,
                ]
            )
        }
    }

    // B056
    @Test("A Secure cookie is neither taken from plain http nor sent over it, also on loopback")
    func b056SecureOverPlainHTTP() async throws {
        let server = try server(.respond(200, ["Set-Cookie: s=1; Secure"]), .respond(200))
        try await load(server.request())
        #expect(store.cookies.isEmpty)
        let own = HTTPCookie(properties: [
            .name: "s", .value: "2", .domain: "127.0.0.1", .path: "/", .secure: "TRUE",
        ])
        #expect(store.setCookie(try #require(own)))
        try await load(server.request())
        #expect(cookies(of: server) == [[], []])
    }

    // B057
    @Test("Odd dates neither keep nor kill a cookie")
    func b057OddDates() async throws {
        let server = try server(
            .respond(
                200,
                [
                    "Set-Cookie: d1=1; Expires=Wed, 21-Oct-37 07:28:00 GMT",
                    "Set-Cookie: d2=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                    "Set-Cookie: d3=1; Max-Age=0; Expires=Wed, 21 Oct 2037 07:28:00 GMT",
                    "Set-Cookie: d4=1; Expires=garbage",
                    "Set-Cookie: d5=1; Max-Age=99999999999999999999",
                ]
            ),
            .respond(200, ["Set-Cookie: d1=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]),
            .respond(200)
        )
        for _ in 0..<3 { try await load(server.request()) }
        #expect(cookies(of: server) == [[], ["d1=1; d4=1; d5=1"], ["d4=1; d5=1"]])
    }

    @Test("Each response of a chain sets cookies before the next request is made")
    func redirects() async throws {
        let server = try server(
            .respond(302, ["Set-Cookie: a=1; Path=/", "Location: /x/y"]),
            .respond(307, ["Set-Cookie: b=2", "Set-Cookie: a=3; Path=/", "Location: /x/z"]),
            .respond(302, ["Set-Cookie: a=; Path=/; Max-Age=0", "Location: /"]),
            .respond(401, ["Set-Cookie: c=4"]),
            .respond(200)
        )
        for _ in 0..<2 { try await load(server.request()) }
        #expect(cookies(of: server) == [[], ["a=1"], ["b=2; a=3"], [], ["c=4"]])
    }

    // B038
    @Test("A Cookie field of the caller's stays with its origin, and the store's go on from there")
    func b038OtherOrigin() async throws {
        let other = try ScriptedServer([.waitForRequest, .respond(200)])
        let there = other.url("/", host: "localhost").absoluteString
        let server = try server(
            .respond(302, ["Set-Cookie: host=1", "Location: /same"]),
            .respond(302, ["Location: \(there)"])
        )
        let own = HTTPCookie(properties: [
            .name: "theirs", .value: "3", .domain: "localhost", .path: "/",
        ])
        store.setCookie(try #require(own))
        var request = server.request()
        request.setValue("mine=2", forHTTPHeaderField: "Cookie")
        try await load(request)
        #expect(cookies(of: server) == [["mine=2"], ["mine=2"]])
        #expect(cookies(of: other) == [["theirs=3"]])
    }

    @Test("A request that does not handle cookies neither sends nor keeps any")
    func notHandled() async throws {
        let server = try server(
            .respond(200, ["Set-Cookie: a=1"]),
            .respond(302, ["Set-Cookie: b=2", "Location: /"]),
            .respond(200, ["Set-Cookie: c=3"]),
            .respond(200)
        )
        try await load(server.request())
        var request = server.request()
        request.httpShouldHandleCookies = false
        try await load(request)
        request.setValue("mine=2", forHTTPHeaderField: "Cookie")
        try await load(request)
        #expect(cookies(of: server) == [[], [], [], ["mine=2"]])
        #expect(store.cookies.map(\.name) == ["a"])
    }

    @Test("Without a store no cookie is sent or kept")
    func noStore() async throws {
        let server = try server(.respond(200, ["Set-Cookie: a=1"]), .respond(200))
        loop.loop.connectionSettings.cookieStore = nil
        for _ in 0..<2 { try await load(server.request()) }
        #expect(cookies(of: server) == [[], []])
        #expect(store.cookies.isEmpty)
    }

    @Test("Loops with one store share their cookies")
    func shared() async throws {
        let server = try server(.respond(200, ["Set-Cookie: a=1"]))
        let other = TestLoop()
        other.loop.connectionSettings.cookieStore = store
        try await load(server.request())
        let second = try ScriptedServer([.waitForRequest, .respond(200)])
        try await RunLoopNetworkingTests.load(second.request(), loop: other.loop)
        #expect(cookies(of: second) == [["a=1"]])
    }

    @Test("A name or a value beyond ASCII goes back as the bytes that came")
    func otherLetters() async throws {
        let server = try server(.respond(200, ["Set-Cookie: é=春节"]), .respond(200))
        for _ in 0..<2 { try await load(server.request()) }
        #expect(cookies(of: server) == [[], ["é=春节"]])
    }
}
