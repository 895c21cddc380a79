import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

extension HTTPBinTests {
    @Suite("Redirects")
    struct Redirects {
        private let bench: HTTPBinBench

        init() throws {
            bench = try HTTPBinBench()
        }

        /// The path of a redirect to a URL, which is escaped.
        private func path(to target: String, status: Int) throws -> String {
            let escaped = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            return "redirect-to?status_code=\(status)&url=\(try #require(escaped))"
        }

        @Test(
            "A chain of redirects is followed to its end",
            arguments: [
                "redirect/1", "redirect/5", "redirect/5?absolute=true", "relative-redirect/5",
                "absolute-redirect/5", "relative-redirect/20", "links/3", "status/301",
                "status/302", "status/303", "status/307",
            ]
        )
        func chain(path: String) async throws {
            let delegate = try await bench.load(path)
            #expect(delegate.transcript.first == .response(200))
            #expect(delegate.transcript.last == .finished)
            let end = path.hasPrefix("links") ? "links/3/0" : "get"
            #expect(delegate.response?.url == (try bench.server.url(end)))
        }

        @Test(
            "Twenty-one redirects are too many",
            arguments: ["relative-redirect", "absolute-redirect"]
        )
        func tooMany(path: String) async throws {
            let delegate = try await bench.load("\(path)/21")
            #expect(delegate.transcript == [.failed(.httpTooManyRedirects)])
            #expect(delegate.urlError?.failingURL == (try bench.server.url("\(path)/1")))
        }

        @Test(
            "A form that is posted becomes a GET, or is posted again",
            arguments: [
                (301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST"),
            ]
        )
        func post(status: Int, method: String) async throws {
            let delegate = try await bench.load(try path(to: "/anything", status: status)) {
                $0.httpMethod = "POST"
                $0.httpBody = Data("a=b".utf8)
            }
            let echo = try Echo(delegate)
            let isKept = method == "POST"
            #expect(echo.method == method)
            #expect(echo.form == (isKept ? ["a": "b"] : [:]))
            let type = isKept ? "application/x-www-form-urlencoded" : nil
            #expect(echo.headers?["Content-Type"] == type)
        }

        @Test(
            "Other methods are kept, but behind a 303",
            arguments: [301, 302, 303, 307, 308],
            ["PUT", "PATCH", "DELETE"]
        )
        func otherMethods(status: Int, method: String) async throws {
            let delegate = try await bench.load(try path(to: "/anything", status: status)) {
                $0.httpMethod = method
            }
            #expect(try Echo(delegate).method == (status == 303 ? "GET" : method))
        }

        @Test(
            "What is no redirect is an answer, although it says where to go",
            arguments: [300, 304, 305, 306]
        )
        func noRedirect(status: Int) async throws {
            let delegate = try await bench.load(try path(to: "/get", status: status))
            #expect(delegate.transcript == [.response(status), .finished])
            #expect(delegate.response?.value(forHTTPHeaderField: "Location") == "/get")
        }

        @Test("A query and the fragment of the first URL arrive at the last one")
        func queryAndFragment() async throws {
            let path = try path(to: "/get?a=b%20c", status: 302)
            let delegate = try await bench.load(path + "#part")
            #expect(try Echo(delegate).args == ["a": "b c"])
            #expect(delegate.response?.url?.fragment == "part")
        }

        @Test("Another host gets no secrets, and every other field")
        func otherHost() async throws {
            let other = try bench.server.url("headers", host: "localhost")
            let path = try path(to: other.absoluteString, status: 302)
            let delegate = try await bench.load(path) {
                $0.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
                $0.setValue("secret=1", forHTTPHeaderField: "Cookie")
                $0.setValue("mine", forHTTPHeaderField: "X-Mine")
            }
            let headers = try #require(try Echo(delegate).headers)
            #expect(headers["Authorization"] == nil)
            #expect(headers["Cookie"] == nil)
            #expect(headers["X-Mine"] == "mine")
            #expect(headers["Host"] == "localhost:\(try #require(other.port))")
        }

        @Test("The same host keeps what was meant for it")
        func sameHost() async throws {
            let delegate = try await bench.load("redirect-to?url=/headers") {
                $0.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
            }
            #expect(try Echo(delegate).headers?["Authorization"] == "Bearer secret")
        }

        @Test(
            "A file is not read because a server says so",
            arguments: ["file:///etc/passwd", "FILE:///etc/passwd"]
        )
        func file(location: String) async throws {
            let delegate = try await bench.load(try path(to: location, status: 302))
            #expect(delegate.transcript == [.failed(.unsupportedURL)])
        }
    }
}
