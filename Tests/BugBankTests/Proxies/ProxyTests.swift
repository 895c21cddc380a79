import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: proxies", .timeLimit(.minutes(1)))
struct ProxyTests {
    // B118
    @Test(
        "What a proxy says as it opens a tunnel is no part of the response",
        arguments: ["Content-Length: 10", "Transfer-Encoding: chunked", "Content-Encoding: gzip"]
    )
    func b118HeadOfTheProxy(field: String) async throws {
        try await withBench { bench in
            let authority = try TLSAuthority()
            bench.loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
            let proxy = try bench.serve([
                .waitForRequest,
                .send("HTTP/1.1 200 Connection established\r\n\(field)\r\nX-Proxy: 1\r\n\r\n"),
                .startTLS(try authority.identity()), .waitForRequest, .respond(200, body: "ok"),
            ])
            bench.loop.connectionSettings.proxy =
                .server(try ProxyServer("127.0.0.1:\(proxy.port)"))
            let url = try #require(URL(string: "https://localhost/"))
            let delegate = try await bench.load(URLRequest(url: url))
            #expect(delegate.transcript == [.response(200), .data(2), .finished])
            #expect(String(decoding: delegate.body, as: UTF8.self) == "ok")
            #expect(delegate.response?.value(forHTTPHeaderField: "X-Proxy") == nil)
            #expect(proxy.requests.map(\.target) == ["localhost:443", "/"])
        }
    }

    // B118
    @Test(
        "The page of a proxy that opens no tunnel is no content",
        arguments: [401, 403, 407, 502]
    )
    func b118Refused(status: Int) async throws {
        try await withBench { bench in
            let proxy = try bench.serve([
                .waitForRequest,
                .respond(status, ["Content-Type: text/html"], body: "<h1>No</h1>"),
            ])
            bench.loop.connectionSettings.proxy =
                .server(try ProxyServer("127.0.0.1:\(proxy.port)"))
            let url = try #require(URL(string: "https://localhost/"))
            let delegate = try await bench.load(URLRequest(url: url))
            let code = try #require(delegate.urlError?.code)
            #expect([.cannotConnectToHost, .userAuthenticationRequired].contains(code))
            #expect(delegate.transcript == [.failed(code)])
            #expect(delegate.urlError?.failingURL == url)
        }
    }

    // B119: the variables themselves are read in ProxyEnvironmentTests, and by TranscriptProxyTests.
    @Test(
        "What no_proxy lists is reached without the proxy, and nothing else",
        arguments: [
            ("localhost", "localhost", true), ("localhost", "127.0.0.1", false),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "localhost", false),
            ("127.0.0.0/8", "127.0.0.1", true), (".test", "127.0.0.1", false),
            (".localhost", "localhost", true), ("host", "localhost", false),
            ("*", "127.0.0.1", true), ("localhost:PORT", "localhost", true),
            ("localhost:1", "localhost", false), (" a , localhost ", "localhost", true),
            ("[::1]", "127.0.0.1", false), ("", "127.0.0.1", false),
            ("LOCALHOST", "localhost", true),
        ]
    )
    func b119Exceptions(list: String, host: String, isDirect: Bool) async throws {
        try await withBench { bench in
            let proxy = try bench.serve([.waitForRequest, .respond(502)])
            let server = try bench.serve([.waitForRequest, .respond(200, body: "ok")])
            let list = list.replacing("PORT", with: "\(server.port)")
            bench.loop.connectionSettings.proxy = .server(
                try ProxyServer("127.0.0.1:\(proxy.port)"),
                except: ProxyExceptions(list)
            )
            let url = server.url("/", host: host)
            let delegate = try await bench.load(URLRequest(url: url))
            let messages: [TranscriptMessage] =
                isDirect ? [.response(200), .data(2), .finished] : [.response(502), .finished]
            #expect(delegate.transcript == messages)
            #expect(proxy.requests.map(\.target) == (isDirect ? [] : [url.absoluteString]))
        }
    }
}
