import EventLoops
import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("The cookie store", .timeLimit(.minutes(1)))
struct CookieStoreTests {
    private func url(_ text: String = "http://h.example.org/") throws -> URL {
        try #require(URL(string: text))
    }

    private func head(_ lines: [String]) -> HeaderBlock {
        HeaderBlock(
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            reason: "",
            fields: lines.map { HeaderField(name: "set-cookie", value: $0) }
        )
    }

    private func made(_ name: String, domain: String = "h.example.org") throws -> HTTPCookie {
        let cookie = HTTPCookie(properties: [
            .name: name, .value: "v", .domain: domain, .path: "/",
        ])
        return try #require(cookie)
    }

    @Test("Cookies of the program's own are sent, found, and taken out")
    func byHand() throws {
        let store = CookieStore()
        #expect(store.setCookie(try made("a")))
        #expect(store.setCookie(try made("b", domain: ".example.org")))
        #expect(!store.setCookie(try made("c", domain: ".org")))
        #expect(store.field(for: URLRequest(url: try url())) == "a=v; b=v")
        #expect(store.cookies(for: try url("http://g.example.org/")).map(\.name) == ["b"])
        #expect(store.cookies.map(\.domain) == ["h.example.org", ".example.org"])
        #expect(store.deleteCookie(try made("a")))
        #expect(!store.deleteCookie(try made("a")))
        #expect(store.cookies.map(\.name) == ["b"])
        store.removeAll()
        #expect(store.cookies.isEmpty)
        #expect(store.field(for: URLRequest(url: try url())) == nil)
    }

    @Test(
        "The accept policy says what is taken",
        arguments: [
            (.always, "http://other.org/", true), (.never, nil, false),
            (.onlyFromMainDocumentDomain, nil, true),
            (.onlyFromMainDocumentDomain, "http://h.example.org/", true),
            (.onlyFromMainDocumentDomain, "https://www.example.org/", true),
            (.onlyFromMainDocumentDomain, "http://other.org/", false),
            (.onlyFromMainDocumentDomain, "about:blank", false),
        ] as [(HTTPCookie.AcceptPolicy, String?, Bool)]
    )
    func policies(policy: HTTPCookie.AcceptPolicy, main: String?, isTaken: Bool) throws {
        let store = CookieStore()
        store.acceptPolicy = policy
        var request = URLRequest(url: try url())
        request.mainDocumentURL = try main.map { try url($0) }
        store.store(head(["a=1"]), for: request)
        #expect(store.cookies.isEmpty == !isTaken)
        #expect(try store.setCookie(made("b")) == (policy != .never))
    }

    @Test("Plain http neither replaces a Secure cookie nor sends it")
    func secure() throws {
        let store = CookieStore()
        let secure = URLRequest(url: try url("https://h.example.org/"))
        store.store(head(["a=1; Secure"]), for: secure)
        let plain = URLRequest(url: try url())
        store.store(head(["a=2", "b=3"]), for: plain)
        #expect(store.field(for: plain) == "b=3")
        #expect(store.field(for: secure) == "a=1; b=3")
        store.store(head(["a=4"]), for: secure)
        #expect(store.field(for: plain) == "a=4; b=3")
    }

    @Test("A cookie ends by the clock")
    func clock() throws {
        let moment = Guarded(Date(timeIntervalSince1970: 1_800_000_000))
        let store = CookieStore(CookieJar(), file: nil) { moment.withLock { $0 } }
        let request = URLRequest(url: try url())
        store.store(head(["a=1; max-age=60", "b=2"]), for: request)
        #expect(store.field(for: request) == "a=1; b=2")
        moment.withLock { $0 += 60 }
        #expect(store.field(for: request) == "b=2")
        #expect(store.cookies.map(\.name) == ["b"])
    }

    @Test("Settings are equal when they name the same store")
    func equality() {
        var settings = ConnectionSettings()
        #expect(settings == ConnectionSettings())
        #expect(settings.cookieStore == .shared)
        settings.cookieStore = CookieStore()
        #expect(settings != ConnectionSettings())
    }
}
