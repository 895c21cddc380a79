import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Redirect rules", .timeLimit(.minutes(1)))
struct RedirectRulesTests {
    private func decide(
        status: Int = 302,
        location: String?,
        count: Int = 0,
        request: URLRequest
    ) -> RedirectRules.Decision {
        let fields = location.map { [HeaderField(name: "location", value: $0)] } ?? []
        let head = HeaderBlock(
            statusCode: status,
            httpVersion: "HTTP/1.1",
            reason: "",
            fields: fields
        )
        return RedirectRules.decide(on: head, to: request, count: count)
    }

    private func request(_ text: String = "http://h/a/b?c") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: text)))
    }

    // B037, B041
    @Test(
        "A location is resolved against the URL that answered with it",
        arguments: [
            ("d", "http://h/a/d"), ("/d", "http://h/d"), ("?d", "http://h/a/b?d"),
            ("//g/d", "http://g/d"), ("https://g:1/d#e", "https://g:1/d#e"), ("../d", "http://h/d"),
            ("/my file é.txt?q=a b", "http://h/my%20file%20%C3%A9.txt?q=a%20b"),
            ("/a%20b", "http://h/a%20b"), ("HTTP://g/", "HTTP://g/"),
        ]
    )
    func target(location: String, resolved: String) throws {
        guard case .follow(let next) = decide(location: location, request: try request()) else {
            Issue.record("\(location) is not followed")
            return
        }
        #expect(next.url?.absoluteString == resolved)
    }

    @Test("The fragment of the old URL holds on unless the new one has its own")
    func fragment() throws {
        let old = try request("http://h/a#old")
        for (location, fragment) in [("/b", "old"), ("/b#new", "new")] {
            guard case .follow(let next) = decide(location: location, request: old) else {
                Issue.record("\(location) is not followed")
                continue
            }
            #expect(next.url?.fragment == fragment)
        }
    }

    // B043
    @Test(
        "A location with another scheme than http and https is refused",
        arguments: ["file:///etc/passwd", "ftp://h/", "gopher://h/", "data:,hi", "dict://h/"]
    )
    func scheme(location: String) throws {
        guard case .fail(let failure) = decide(location: location, request: try request()) else {
            Issue.record("\(location) is not refused")
            return
        }
        #expect(failure.code == .unsupportedURL)
    }

    @Test("A location that is no URL is refused", arguments: ["", "http://[::1"])
    func noURL(location: String) throws {
        guard case .fail(let failure) = decide(location: location, request: try request()) else {
            Issue.record("\(location) is not refused")
            return
        }
        #expect(failure.code == .redirectToNonExistentLocation)
    }

    @Test("Other statuses, and a redirect without a location, are answers")
    func answers() throws {
        let request = try request()
        for status in [200, 300, 304, 305, 306, 400] {
            guard case .deliver = decide(status: status, location: "/d", request: request) else {
                Issue.record("\(status) is not delivered")
                continue
            }
        }
        for status in [301, 302, 303, 307, 308] {
            guard case .deliver = decide(status: status, location: nil, request: request) else {
                Issue.record("\(status) without a location is not delivered")
                continue
            }
        }
    }

    @Test("Twenty redirects are followed, and no more")
    func limit() throws {
        guard case .follow = decide(location: "/d", count: 19, request: try request()) else {
            Issue.record("the twentieth is not followed")
            return
        }
        guard case .fail(let failure) = decide(location: "/d", count: 20, request: try request())
        else {
            Issue.record("the next one is followed")
            return
        }
        #expect(failure.code == .httpTooManyRedirects)
    }

    // B038
    @Test(
        "What was meant for one origin is dropped where scheme, host or port change",
        arguments: [
            ("http://h/x", true), ("http://h:80/x", true), ("HTTP://H/x", true),
            ("http://g/x", false), ("http://h:81/x", false), ("https://h/x", false),
            ("https://h:80/x", false), ("http://h.evil/x", false),
        ]
    )
    func origin(location: String, isKept: Bool) throws {
        var old = try request()
        let secrets = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]
        for name in secrets + ["X-Mine"] { old.setValue("v", forHTTPHeaderField: name) }
        guard case .follow(let next) = decide(location: location, request: old) else {
            Issue.record("\(location) is not followed")
            return
        }
        for name in secrets {
            #expect((next.value(forHTTPHeaderField: name) != nil) == isKept, "\(name)")
        }
        #expect(next.value(forHTTPHeaderField: "X-Mine") == "v")
    }
}
