import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Cookies that are taken", .timeLimit(.minutes(1)))
struct StoredCookieTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func cookie(_ text: String, from url: String) throws -> StoredCookie? {
        let line = try #require(SetCookieLine(text))
        return StoredCookie(line, from: try CookieTarget(url), now: now)
    }

    @Test(
        "A domain has to be the host or above it, and no public suffix",
        arguments: [
            ("a=b", "http://h.example.org/", "h.example.org", true),
            ("a=b; domain=example.org", "http://h.example.org/", "example.org", false),
            ("a=b; domain=h.example.org", "http://h.example.org/", "h.example.org", false),
            ("a=b; domain=x.h.example.org", "http://h.example.org/", nil, false),
            ("a=b; domain=other.org", "http://h.example.org/", nil, false),
            ("a=b; domain=example.org.", "http://h.example.org/", nil, false),
            ("a=b; domain=.org", "http://h.example.org/", nil, false),
            ("a=b; domain=co.uk", "http://shop.co.uk/", nil, false),
            ("a=b; domain=com.", "http://example.com./", nil, false),
            ("a=b; domain=github.io", "http://github.io/", "github.io", true),
            ("a=b; domain=localhost", "http://localhost/", "localhost", true),
            ("a=b; domain=127.0.0.1", "http://127.0.0.1/", "127.0.0.1", false),
            ("a=b; domain=0.0.1", "http://127.0.0.1/", nil, false),
            ("a=b; domain=.", "http://h.example.org/", "h.example.org", true),
        ] as [(String, String, String?, Bool)]
    )
    func domains(text: String, url: String, domain: String?, isHostOnly: Bool) throws {
        let cookie = try cookie(text, from: url)
        #expect(cookie?.domain == domain)
        #expect(cookie == nil || cookie?.isHostOnly == isHostOnly)
    }

    // B056
    @Test(
        "Secure comes over https only, and so does what its name promises",
        arguments: [
            ("a=b; secure", "http://h.org/", false), ("a=b; secure", "https://h.org/", true),
            ("a=b; secure", "http://127.0.0.1/", false),
            ("a=b; secure", "http://localhost/", false),
            ("__Secure-a=b", "https://h.org/", false),
            ("__Secure-a=b; secure", "https://h.org/", true),
            ("__host-a=b; secure; path=/", "https://h.org/", true),
            ("__Host-a=b; secure", "https://h.org/", false),
            ("__Host-a=b; path=/", "https://h.org/", false),
            ("__Host-a=b; secure; path=/; domain=h.org", "https://h.org/", false),
        ]
    )
    func protection(text: String, url: String, isTaken: Bool) throws {
        #expect(try (cookie(text, from: url) != nil) == isTaken)
    }

    @Test("Max-Age counts before Expires, and ends with the year 9999 at the latest")
    func expiry() throws {
        let date = "Wed, 21 Oct 2037 07:28:00 GMT"
        func expires(_ text: String) throws -> Date? {
            try cookie("a=b; " + text, from: "http://h.org/")?.expires
        }
        #expect(try expires("max-age=60; expires=\(date)") == now.addingTimeInterval(60))
        #expect(try expires("max-age=0; expires=\(date)") == .distantPast)
        #expect(try expires("max-age=-1") == .distantPast)
        #expect(try expires("max-age=99999999999999999999") == StoredCookie.lastMoment)
        #expect(try expires("expires=\(date)") == Date(timeIntervalSince1970: 2_139_722_880))
        #expect(try expires("expires=garbage") == nil)
    }

    @Test("Foundation's form of a cookie and back again loses nothing")
    func carrier() throws {
        for text in [
            "a=b", "a=b; domain=example.org; path=/p; max-age=60; secure; httponly",
            "a=; path=/x/; expires=Wed, 21 Oct 2037 07:28:00 GMT",
        ] {
            let cookie = try cookie(text, from: "https://h.example.org/q/")
            let made = try #require(cookie)
            let carried = try #require(HTTPCookie(made))
            #expect(StoredCookie(carried, now: now) == made)
            #expect(carried.isSessionOnly == (made.expires == nil))
        }
    }

    @Test(
        "A cookie of the program's own is refused when no server could have set it",
        arguments: [
            ("a", "b", "h.org", "/", true), ("a", "b", ".h.org", "/", true),
            ("a", "b", ".org", "/", false), ("a", "b", "org", "/", true),
            ("a", "b;c", "h.org", "/", false), ("a", "b\r\nX: y", "h.org", "/", false),
            ("a=c", "b", "h.org", "/", false), ("a", "b", "h.org", "p", false),
        ]
    )
    func handMade(
        name: String,
        value: String,
        domain: String,
        path: String,
        isTaken: Bool
    ) throws {
        let made = HTTPCookie(properties: [
            .name: name, .value: value, .domain: domain, .path: path,
        ])
        let cookie = try #require(made)
        #expect((StoredCookie(cookie, now: now) != nil) == isTaken)
    }

    @Test("A Max-Age that Foundation has kept as text counts from now")
    func textOfMaxAge() throws {
        let made = HTTPCookie(properties: [
            .name: "a", .value: "b", .domain: "h.org", .path: "/", .maximumAge: "60",
        ])
        let cookie = StoredCookie(try #require(made), now: now)
        #expect(cookie?.expires == now.addingTimeInterval(60))
    }
}
