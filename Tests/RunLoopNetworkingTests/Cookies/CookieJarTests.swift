import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("The cookie jar", .timeLimit(.minutes(1)))
struct CookieJarTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func cookie(_ text: String, from url: String = "https://h.example.org/") throws
        -> StoredCookie
    {
        let line = try #require(SetCookieLine(text))
        return try #require(StoredCookie(line, from: try target(url), now: now))
    }

    private func target(_ text: String) throws -> CookieTarget {
        try CookieTarget(text)
    }

    private func sent(
        _ jar: inout CookieJar,
        to url: String = "https://h.example.org/",
        after seconds: Double = 0
    ) throws -> [String] {
        jar.cookies(for: try target(url), at: now.addingTimeInterval(seconds))
            .map { "\($0.name)=\($0.value)" }
    }

    @Test("Longer paths are sent first, then what was made first")
    func order() throws {
        var jar = CookieJar()
        for text in ["a=1; path=/", "b=2; path=/x", "c=3; path=/", "d=4; path=/x/y"] {
            _ = jar.store(try cookie(text), at: now)
        }
        #expect(try sent(&jar, to: "https://h.example.org/x/y") == ["d=4", "b=2", "a=1", "c=3"])
        #expect(try sent(&jar) == ["a=1", "c=3"])
    }

    @Test("A cookie that is replaced keeps its place, and is there once")
    func replacing() throws {
        var jar = CookieJar()
        #expect(jar.store(try cookie("a=1"), at: now))
        #expect(jar.store(try cookie("b=2"), at: now))
        #expect(jar.store(try cookie("a=3; domain=example.org"), at: now))
        #expect(jar.store(try cookie("a=4"), at: now))
        #expect(!jar.store(try cookie("a=4"), at: now))
        #expect(try sent(&jar) == ["a=4", "b=2", "a=3"])
        #expect(jar.count == 3)
    }

    @Test("A cookie goes when it is over, and when one that is over replaces it")
    func ending() throws {
        var jar = CookieJar()
        _ = jar.store(try cookie("a=1; max-age=60"), at: now)
        _ = jar.store(try cookie("b=2"), at: now)
        _ = jar.store(try cookie("c=3"), at: now)
        #expect(jar.store(try cookie("b=x; max-age=0"), at: now))
        #expect(!jar.store(try cookie("d=x; max-age=0"), at: now))
        #expect(try sent(&jar, after: 59) == ["a=1", "c=3"])
        #expect(try sent(&jar, after: 60) == ["c=3"])
        #expect(jar.count == 1)
    }

    @Test("Cookies of one host stay there, those of a domain are sent below it")
    func scope() throws {
        var jar = CookieJar()
        _ = jar.store(try cookie("host=1"), at: now)
        _ = jar.store(try cookie("domain=2; domain=example.org"), at: now)
        _ = jar.store(try cookie("secure=3; secure; domain=example.org"), at: now)
        #expect(try sent(&jar) == ["host=1", "domain=2", "secure=3"])
        #expect(try sent(&jar, to: "http://h.example.org:81/") == ["host=1", "domain=2"])
        #expect(try sent(&jar, to: "https://x.h.example.org/") == ["domain=2", "secure=3"])
        #expect(try sent(&jar, to: "http://example.org/") == ["domain=2"])
        #expect(try sent(&jar, to: "http://badexample.org/") == [])
    }

    @Test("A domain keeps so many cookies: those that were used last")
    func limitOfADomain() throws {
        var jar = CookieJar(limits: .init(perDomain: 3, inAll: 100))
        _ = jar.store(try cookie("a=1"), at: now)
        _ = jar.store(try cookie("b=2; path=/x"), at: now)
        _ = jar.store(try cookie("c=3"), at: now)
        #expect(try sent(&jar) == ["a=1", "c=3"])
        _ = jar.store(try cookie("d=4"), at: now)
        #expect(jar.all(at: now).map(\.name) == ["a", "c", "d"])
        #expect(jar.count == 3)
    }

    @Test("The jar keeps so many cookies in all, and makes room for more than one")
    func limitInAll() throws {
        var jar = CookieJar(limits: .init(perDomain: 5, inAll: 10))
        for number in 0...10 {
            _ = jar.store(try cookie("a=\(number)", from: "http://h\(number).org/"), at: now)
        }
        #expect(jar.all(at: now).map(\.value) == ["2", "3", "4", "5", "6", "7", "8", "9", "10"])
        #expect(jar.count == 9)
    }

    @Test("What is over goes before what is not")
    func limitAndExpiry() throws {
        var jar = CookieJar(limits: .init(perDomain: 2, inAll: 100))
        _ = jar.store(try cookie("a=1"), at: now)
        _ = jar.store(try cookie("b=2; max-age=60"), at: now)
        _ = jar.store(try cookie("c=3"), at: now.addingTimeInterval(61))
        #expect(jar.all(at: now).map(\.name) == ["a", "c"])
        #expect(jar.count == 2)
    }

    @Test(
        "An unprotected response can't hide a Secure cookie",
        arguments: [
            ("a=x", "http://h.example.org/", true), ("b=x", "http://h.example.org/", false),
            ("a=x; domain=example.org", "http://h.example.org/", true),
            ("a=x", "http://sub.h.example.org/", true), ("a=x", "http://g.example.org/", false),
            ("a=x; path=/p/q", "http://h.example.org/", true),
        ]
    )
    func shadows(text: String, url: String, isShadowed: Bool) throws {
        var jar = CookieJar()
        _ = jar.store(try cookie("a=1; secure; path=/"), at: now)
        #expect(jar.isSecureShadowed(by: try cookie(text, from: url), at: now) == isShadowed)
    }
}
