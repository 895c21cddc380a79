import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("What the environment says about proxies", .timeLimit(.minutes(1)))
struct ProxyEnvironmentTests {
    private func proxy(_ url: String, _ variables: [String: String]) throws -> String? {
        let url = try #require(URL(string: url))
        let environment = ProxyEnvironment(variables)
        return try ProxySettings.environment.proxy(for: url, environment)?.description
    }

    @Test(
        "Each scheme has its variable, and what has none takes that of all",
        arguments: [
            ("http://a/", ["http_proxy": "p:1"], "http://p:1"),
            ("HTTP://a/", ["http_proxy": "p:1"], "http://p:1"),
            ("http://a/", ["HTTP_PROXY": "p:1"], nil), ("https://a/", ["http_proxy": "p:1"], nil),
            ("http://a/", ["https_proxy": "p:1"], nil),
            ("https://a/", ["https_proxy": "p:1"], "http://p:1"),
            ("https://a/", ["HTTPS_PROXY": "p:1"], "http://p:1"),
            ("https://a/", ["HTTPS_PROXY": "p:1", "https_proxy": "q:1"], "http://q:1"),
            ("http://a/", ["all_proxy": "socks5h://p:1"], "socks5h://p:1"),
            ("https://a/", ["ALL_PROXY": "p:1"], "http://p:1"),
            ("https://a/", ["ALL_PROXY": "p:1", "all_proxy": "q:1"], "http://q:1"),
            ("http://a/", ["all_proxy": "p:1", "http_proxy": "q:1"], "http://q:1"),
            ("http://a/", ["all_proxy": "p:1", "http_proxy": ""], "http://p:1"),
            ("ftp://a/", ["ftp_proxy": "p:1"], "http://p:1"),
            ("http://a/", ["http_proxy": ""], nil), ("http://a/", [:], nil),
        ] as [(String, [String: String], String?)]
    )
    func variables(url: String, variables: [String: String], proxy: String?) throws {
        #expect(try self.proxy(url, variables) == proxy)
    }

    @Test(
        "no_proxy takes servers out, at the port that is meant",
        arguments: [
            ("http://localhost/", "localhost", true), ("http://127.0.0.1:80/", "localhost", false),
            ("http://localhost:8080/", "localhost:8080", true),
            ("http://localhost/", "localhost:80", true),
            ("https://localhost/", "localhost:443", true),
            ("https://localhost/", "localhost:80", false), ("http://[::1]/", "[::1]", true),
            ("http://[::1]:81/", "[::1]:80", false), ("http://127.0.0.1/", "", false),
            ("http://a.b.test/", " a , .b.test ", true), ("http://x/", "*", true),
        ]
    )
    func exceptions(url: String, list: String, isDirect: Bool) throws {
        for name in ["no_proxy", "NO_PROXY"] {
            let variables = ["all_proxy": "p:1", name: list]
            #expect(try proxy(url, variables) == (isDirect ? nil : "http://p:1"))
        }
        let both = ["all_proxy": "p:1", "no_proxy": list, "NO_PROXY": "elsewhere"]
        #expect(try proxy(url, both) == (isDirect ? nil : "http://p:1"))
    }

    @Test("A variable that names no proxy is an error with its name, unless no_proxy comes first")
    func unreadable() throws {
        let variables = ["https_proxy": "gopher://u:secret@p"]
        let failure = #expect(throws: Failure.self) { try proxy("https://a/", variables) }
        #expect(failure?.code == .cannotConnectToHost)
        #expect(failure?.sentence.contains("https_proxy") == true)
        #expect(failure?.sentence.contains("secret") == false)
        let exempt = variables.merging(["no_proxy": "a"]) { $1 }
        #expect(try proxy("https://a/", exempt) == nil)
    }

    @Test("Settings may ignore the environment")
    func direct() throws {
        let url = try #require(URL(string: "http://a.test/"))
        let environment = ProxyEnvironment(["all_proxy": "p:1"])
        let server = try ProxyServer("q:1")
        #expect(try ProxySettings.direct.proxy(for: url, environment) == nil)
        #expect(try ProxySettings.server(server).proxy(for: url, environment) == server)
        let exempt = ProxySettings.server(server, except: [".test"])
        #expect(try exempt.proxy(for: url, environment) == nil)
    }
}
