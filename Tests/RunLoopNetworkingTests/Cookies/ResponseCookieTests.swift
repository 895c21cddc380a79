import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Cookies of a response", .timeLimit(.minutes(1)))
struct ResponseCookieTests {
    private func response(_ value: String?, url: String = "http://h.test/a/b") throws
        -> HTTPURLResponse
    {
        let made = HTTPURLResponse(
            url: try #require(URL(string: url)),
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headerFields: value.map { ["Set-Cookie": $0] } ?? [:]
        )
        return try #require(made)
    }

    @Test("The response of a connection has each line apart, commas and all")
    func loaded() async throws {
        let lines = [
            "a=1, b=still a; Path=/", "c=3; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "nothing", "d=",
        ]
        let server = try ScriptedServer([
            .waitForRequest, .respond(200, lines.map { "Set-Cookie: \($0)" }, body: "x"),
        ])
        let loop = TestLoop()
        let delegate = try await load(server.request("/a/b"), loop: loop.loop)
        let response = try #require(delegate.response)
        #expect(response.setCookieLines == lines)
        #expect(response.cookies.map(\.name) == ["a", "c", "d"])
        #expect(response.cookies.map(\.value) == ["1, b=still a", "3", ""])
        #expect(response.cookies.map(\.path) == ["/", "/a", "/a"])
        #expect(response.cookies.map(\.domain) == ["127.0.0.1", "127.0.0.1", "127.0.0.1"])
        let end = Date(timeIntervalSince1970: 4_096_250_880)
        #expect(response.cookies.map(\.expiresDate) == [nil, end, nil])
    }

    @Test(
        "A joined field is split where a name follows a comma",
        arguments: [
            ("a=1", ["a=1"]),
            ("a=1, b=2,c=3", ["a=1", "b=2", "c=3"]),
            (
                "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/, b=2",
                ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "b=2"]
            ),
            ("a=x,y; Path=/", ["a=x,y; Path=/"]),
            ("a=1,,b=2", ["a=1,", "b=2"]),
        ] as [(String, [String])]
    )
    func joined(value: String, lines: [String]) throws {
        #expect(try response(value).setCookieLines == lines)
    }

    @Test("A response without the field sets no cookies")
    func none() throws {
        #expect(try response(nil).setCookieLines.isEmpty)
        #expect(try response(nil).cookies.isEmpty)
    }

    @Test("What the server may not set is no cookie, and its line is there all the same")
    func refused() throws {
        let response = try response("a=1; Domain=other.test, b=2; Secure, c=3; Domain=h.test")
        #expect(response.setCookieLines.count == 3)
        #expect(response.cookies.map(\.name) == ["c"])
        #expect(response.cookies.map(\.domain) == [".h.test"])
    }

    @Test("A cookie that is taken back is one that is over")
    func takenBack() throws {
        let cookies = try response("a=; Max-Age=0, b=2; Max-Age=60").cookies
        #expect(cookies.map { ($0.expiresDate ?? .distantFuture) < Date() } == [true, false])
    }

    @Test("A response of another scheme has lines at most")
    func otherScheme() throws {
        let response = try response("a=1", url: "data:,x")
        #expect(response.setCookieLines == ["a=1"])
        #expect(response.cookies.isEmpty)
    }
}
