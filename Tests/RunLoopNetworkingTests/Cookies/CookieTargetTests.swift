import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("Where cookies match", .timeLimit(.minutes(1)))
struct CookieTargetTests {
    private func target(_ text: String) throws -> CookieTarget {
        try CookieTarget(text)
    }

    @Test(
        "A URL is read to its host, its path as it is sent, and its protection",
        arguments: [
            ("http://H.Example:81/a%20b/c?q#f", "h.example", "/a%20b/c", false),
            ("HTTPS://h", "h", "/", true), ("http://[::1]:80/x", "::1", "/x", false),
            ("https://bücher.example/a/../b", "xn--bcher-kva.example", "/a/../b", true),
            ("http://h?q", "h", "/", false),
        ]
    )
    func reading(text: String, host: String, path: String, isSecure: Bool) throws {
        let target = try target(text)
        #expect(target.host == host)
        #expect(target.path == path)
        #expect(target.isSecure == isSecure)
    }

    @Test(
        "The default path ends before the last slash",
        arguments: [
            ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"), ("", "/"),
        ]
    )
    func defaultPath(path: String, found: String) throws {
        #expect(try target("http://h" + path).defaultPath == found)
    }

    @Test(
        "A host is in a domain when it ends with it at a dot, and is no address",
        arguments: [
            ("example.org", "example.org", true), ("a.example.org", "example.org", true),
            ("a.b.example.org", "example.org", true), ("badexample.org", "example.org", false),
            ("example.org", "a.example.org", false), ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "0.0.1", false), ("127.0.0.1", "1", false), ("::1", "::1", true),
            ("example.org.", "example.org", false), ("a.example.org", ".example.org", false),
        ]
    )
    func domains(host: String, domain: String, isMatch: Bool) {
        #expect(CookieTarget.isHost(host, in: domain) == isMatch)
    }

    @Test(
        "A path is in another when it goes on at a slash",
        arguments: [
            ("/a", "/", true), ("/a", "/a", true), ("/a/", "/a", true), ("/a/b", "/a", true),
            ("/a/b", "/a/", true), ("/a", "/a/", false), ("/ab", "/a", false), ("/A", "/a", false),
            ("/", "/a", false), ("/f%6Fo", "/foo", false),
        ]
    )
    func paths(path: String, parent: String, isMatch: Bool) {
        #expect(CookieTarget.isPath(path, in: parent) == isMatch)
    }

    @Test("Domains above a host are those at its dots; an address has none")
    func above() throws {
        #expect(try target("http://a.b.c").domains == ["a.b.c", "b.c", "c"])
        #expect(try target("http://a.b.").domains == ["a.b", "b"])
        #expect(try target("http://127.0.0.1").domains == ["127.0.0.1"])
        #expect(try target("http://[::1]").domains == ["::1"])
    }

    // From the list's own tests (publicsuffix.org).
    @Test(
        "Registrable domains are one label longer than a public suffix",
        arguments: [
            ("com", nil), ("example.com", "example.com"), ("b.example.com", "example.com"),
            ("example", nil), ("b.example.example", "example.example"), ("biz", nil),
            ("uk.com", nil), ("a.b.example.uk.com", "example.uk.com"), ("c.mm", nil),
            ("a.b.c.mm", "b.c.mm"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"),
            ("ide.kyoto.jp", nil), ("b.ide.kyoto.jp", "b.ide.kyoto.jp"), ("c.kobe.jp", nil),
            ("www.city.kobe.jp", "city.kobe.jp"), ("test.ck", nil), ("www.www.ck", "www.ck"),
            ("k12.ak.us", nil), ("www.test.k12.ak.us", "test.k12.ak.us"),
            ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
            ("xn--55qx5d.cn", nil), ("xn--fiqs8s", nil), ("github.io", nil),
        ] as [(String, String?)]
    )
    func publicSuffixes(domain: String, registrable: String?) {
        #expect(PublicSuffixList.registrableDomain(of: domain) == registrable)
        #expect(PublicSuffixList.contains(domain) == (registrable == nil))
    }
}
