import NetworkingTestKit
import Testing

/// The environment is read once in a process: each case is one of its own.
@Suite("transcript and proxies", .timeLimit(.minutes(1)))
struct TranscriptProxyTests {
    private func messages(
        _ options: [String],
        _ environment: [String: String]
    ) async throws -> [String] {
        let nothing = [
            "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY",
            "ALL_PROXY", "NO_PROXY",
        ]
        let empty = Dictionary(uniqueKeysWithValues: nothing.map { ($0, "") })
        let program = try await Program(
            "transcript",
            options,
            environment: empty.merging(environment) { $1 }
        )
        return program.lines.compactMap { line in
            line.firstMatch(of: /"message":"([a-z]+)".*"status":([0-9]+)/)
                .map { "\($0.output.1) \($0.output.2)" }
        }
    }

    @Test(
        "The environment names the proxy, and what needs none",
        arguments: [
            ("http_proxy", "", true), ("http_proxy", "localhost", false),
            ("http_proxy", "127.0.0.1", false), ("http_proxy", "127.0.0.0/8", false),
            ("http_proxy", "elsewhere", true), ("http_proxy", "*", false),
            ("http_proxy", "127.0.0.1:PORT", false), ("http_proxy", "127.0.0.1:1", true),
            ("http_proxy", " a , 127.0.0.1 ", false), ("http_proxy", "[::1]", true),
            ("all_proxy", "", true), ("ALL_PROXY", "", true), ("HTTP_PROXY", "", false),
            ("https_proxy", "", false),
        ]
    )
    func environment(variable: String, exceptions: String, isUsed: Bool) async throws {
        let proxy = try ScriptedServer([.waitForRequest, .respond(502)])
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "ok")])
        let host = exceptions == "localhost" ? "localhost" : "127.0.0.1"
        let list = exceptions.replacing("PORT", with: "\(server.port)")
        let messages = try await messages(
            ["\(server.url("/f", host: host))"],
            [variable: "127.0.0.1:\(proxy.port)", "no_proxy": list]
        )
        #expect(messages == ["response \(isUsed ? 502 : 200)"])
        #expect(proxy.requests.count == (isUsed ? 1 : 0))
    }

    @Test("--proxy comes before the environment, and may say that there is none")
    func option() async throws {
        let proxy = try ScriptedServer([.waitForRequest, .respond(203)])
        let server = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "ok")])])
        let elsewhere = ["http_proxy": "http://127.0.0.1:1", "no_proxy": "127.0.0.1"]
        let url = "\(server.url("/f"))"
        let through = try await messages(["--proxy", "127.0.0.1:\(proxy.port)", url], elsewhere)
        #expect(through == ["response 203"])
        let direct = try await messages(["--proxy", "", url], ["http_proxy": "http://127.0.0.1:1"])
        #expect(direct == ["response 200"])
    }

    @Test("What runs with no argument runs without a proxy")
    func ownServer() async throws {
        #expect(try await messages([], ["http_proxy": "127.0.0.1:1"]) == ["response 200"])
    }
}
