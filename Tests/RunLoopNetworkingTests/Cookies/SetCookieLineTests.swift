import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("Set-Cookie lines", .timeLimit(.minutes(1)))
struct SetCookieLineTests {
    @Test(
        "Name and value are told apart at the first equals sign, and trimmed",
        arguments: [
            ("foo=bar", "foo", "bar"), ("tok=YWJj==:x/y; Path=/", "tok", "YWJj==:x/y"),
            ("  A=== BC  ;foo;;;   bar", "A", "== BC"), ("x=", "x", ""),
            ("\tfoo\t=\tbar\t \t;\tttt", "foo", "bar"), ("z=y, a=b", "z", "y, a=b"),
            ("foo=\"bar;baz\"", "foo", "\"bar"), ("$Version=1; foo=bar", "$Version", "1"),
            ("foo=é", "foo", "é"), ("foo bar=baz", "foo bar", "baz"),
        ]
    )
    func pair(text: String, name: String, value: String) throws {
        let line = try #require(SetCookieLine(text))
        #expect(line.name == name)
        #expect(line.value == value)
    }

    @Test(
        "A line without a name sets nothing, nor does one with a control character",
        arguments: [
            "", "foo", "=", "=bar", " =bar", "; foo=bar", ";", "a=b\u{0}c", "a=b\rc", "a=b\nc",
            "a\u{7F}=b",
        ]
    )
    func nothing(text: String) {
        #expect(SetCookieLine(text) == nil)
    }

    @Test("Name and value have at most 4096 bytes together")
    func size() {
        #expect(SetCookieLine("a=" + String(repeating: "b", count: 4095)) != nil)
        #expect(SetCookieLine("a=" + String(repeating: "b", count: 4096)) == nil)
        #expect(SetCookieLine("a=b; path=/" + String(repeating: "c", count: 1023))?.path != nil)
        #expect(SetCookieLine("a=b; path=/" + String(repeating: "c", count: 1024))?.path == nil)
    }

    @Test(
        "A domain is in lower case, without one leading dot; an empty one does not count",
        arguments: [
            ("Domain=home.eXample.org", "home.example.org"), ("domain=.example.org", "example.org"),
            ("domain=  .example.org  ", "example.org"), ("domain=..example.org", ".example.org"),
            ("domain=", nil), ("domain", nil), ("domain=a.org; domain=", "a.org"),
            ("domain=a.org; domain=b.org", "b.org"),
            ("domain=Bücher.example", "xn--bcher-kva.example"),
        ] as [(String, String?)]
    )
    func domain(text: String, domain: String?) {
        #expect(SetCookieLine("a=b; " + text)?.domain == domain)
    }

    @Test(
        "A path begins with a slash, or is the default; the last one counts",
        arguments: [
            ("Path=/a", "/a"), ("path = /a ", "/a"), ("path=", nil), ("path", nil), ("path=a", nil),
            ("path=/a; path=", nil), ("path=; path=/a", "/a"), ("path=\"/a\"", nil),
        ] as [(String, String?)]
    )
    func path(text: String, path: String?) {
        #expect(SetCookieLine("a=b; " + text)?.path == path)
    }

    @Test(
        "A Max-Age is a whole number; what is none does not count",
        arguments: [
            ("max-age=60", 60), ("MAX-AGE=-20", -20), ("max-age=0", 0), ("max-age=", nil),
            ("max-age=-", nil), ("max-age=50,399", nil), ("max-age=+5", nil), ("max-age=2.6", nil),
            ("max-age=5; max-age=x", 5), ("max-age=99999999999999999999", 1e20),
        ] as [(String, Double?)]
    )
    func maxAge(text: String, seconds: Double?) {
        #expect(SetCookieLine("a=b; " + text)?.maxAge == seconds)
    }

    @Test("A bad Expires does not take back a good one")
    func expires() {
        let line = SetCookieLine("a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT; expires=garbage")
        #expect(line?.expires == Date(timeIntervalSince1970: 2_139_722_880))
        #expect(SetCookieLine("a=b; expires=garbage")?.expires == nil)
    }

    @Test(
        "Secure and HttpOnly count by their name alone",
        arguments: [
            ("Secure", true, false), ("seCURe=", true, false), ("Secure =aaa", true, false),
            ("\"Secure\"", false, false), ("Secure qux", false, false), ("httponly", false, true),
            ("qux=\"aaa;bbb\"; Secure; HttpOnly=x", true, true),
        ]
    )
    func flags(text: String, isSecure: Bool, isHTTPOnly: Bool) {
        let line = SetCookieLine("a=b; " + text)
        #expect(line?.isSecure == isSecure)
        #expect(line?.isHTTPOnly == isHTTPOnly)
    }
}
