import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Proxies", .timeLimit(.minutes(1)))
struct ProxyTests {
    private let loop = TestLoop()

    private func load(
        _ text: String,
        through proxy: String,
        except exceptions: ProxyExceptions = [],
        fields: [String: String] = [:]
    ) async throws -> RecordingDelegate {
        loop.loop.connectionSettings.proxy = .server(try ProxyServer(proxy), except: exceptions)
        var request = URLRequest(url: try #require(URL(string: text)))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try await RunLoopNetworkingTests.load(request, loop: loop.loop)
    }

    @Test("A proxy is asked for the whole URL, and its name is not looked up here")
    func plain() async throws {
        let proxy = try ScriptedServer([
            .forever([.waitForRequest, .respond(200, body: "abc")])
        ])
        for _ in 1...2 {
            let delegate = try await load(
                "http://origin.invalid/f?q=1",
                through: "127.0.0.1:\(proxy.port)",
                fields: ["Authorization": "Bearer t", "Proxy-Authorization": "Bearer p"]
            )
            #expect(delegate.transcript == [.response(200), .data(3), .finished])
        }
        #expect(proxy.connectionCount == 1)
        let request = try #require(proxy.requests.first)
        #expect(request.target == "http://origin.invalid/f?q=1")
        #expect(request.values(for: "Host") == ["origin.invalid"])
        #expect(request.values(for: "Authorization") == ["Bearer t"])
        #expect(request.values(for: "Proxy-Authorization") == ["Bearer p"])
    }

    @Test("Without a proxy nobody gets what is meant for one")
    func direct() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        loop.loop.connectionSettings.proxy = .direct
        let request = server.request(fields: ["Proxy-Authorization": "Basic cDpw"])
        let delegate = try await RunLoopNetworkingTests.load(request, loop: loop.loop)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(server.requests.first?["Proxy-Authorization"] == nil)
    }

    @Test("A redirect decides anew whether there is a proxy")
    func redirect() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let proxy = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: \(server.url("/next"))"]),
        ])
        let delegate = try await load(
            "http://origin.invalid/first",
            through: "127.0.0.1:\(proxy.port)",
            except: ["127.0.0.1"]
        )
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(proxy.requests.map(\.target) == ["http://origin.invalid/first"])
        #expect(server.requests.map(\.target) == ["/next"])
    }

    // MARK: - Credentials

    @Test("A proxy that asks who uses it is told, and its question is not delivered")
    func credentials() async throws {
        let proxy = try ScriptedServer([
            .waitForRequest, .respond(407, ["Proxy-Authenticate: Basic realm=\"r\""], body: "who?"),
            .waitForRequest, .respond(200, body: "abc"),
        ])
        let delegate = try await load(
            "http://origin.invalid/f",
            through: "u:p%3A@127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        let sent = proxy.requests.map { $0["Proxy-Authorization"] }
        #expect(sent == [nil, "Basic \(Data("u:p:".utf8).base64EncodedString())"])
        #expect(proxy.requests.allSatisfy { $0["Authorization"] == nil })
    }

    @Test("A proxy that knows Digest does not hear the password")
    func digest() async throws {
        let question = [
            "Proxy-Authenticate: Basic realm=\"r\"",
            "Proxy-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"",
        ]
        let proxy = try ScriptedServer([
            .waitForRequest, .respond(407, question),
            .waitForRequest, .respond(200, body: "abc"),
        ])
        let delegate = try await load(
            "http://origin.invalid/f",
            through: "u:p@127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        let answer = try #require(proxy.requests.last?["Proxy-Authorization"])
        #expect(answer.hasPrefix("Digest username=\"u\""))
    }

    @Test("A proxy that does not accept who uses it answers itself")
    func wrongCredentials() async throws {
        let question = ["Proxy-Authenticate: Basic realm=\"r\""]
        let proxy = try ScriptedServer([
            .waitForRequest, .respond(407, question, body: "who?"),
            .waitForRequest, .respond(407, question, body: "not you"),
        ])
        let delegate = try await load(
            "http://origin.invalid/f",
            through: "u:p@127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.response(407), .data(7), .finished])
        #expect(proxy.requests.count == 2)
    }

    @Test(
        "The answer of a proxy that asks in a way that nobody knows is delivered",
        arguments: ["", "x"]
    )
    func unknownScheme(body: String) async throws {
        let proxy = try ScriptedServer([
            .waitForRequest, .respond(407, ["Proxy-Authenticate: Odd"], body: body),
        ])
        let delegate = try await load(
            "http://origin.invalid/f",
            through: "u:p@127.0.0.1:\(proxy.port)"
        )
        let data: [TranscriptMessage] = body.isEmpty ? [] : [.data(1)]
        #expect(delegate.transcript == [.response(407)] + data + [.finished])
    }

    // MARK: - Failures

    @Test("A proxy that can't be reached is named, without the password")
    func unreachable() async throws {
        let failures: [(String, URLError.Code)] = [
            ("http://u:secret@127.0.0.1:1", .cannotConnectToHost),
            ("https://u:secret@127.0.0.1:1", .cannotConnectToHost),
            ("socks5h://u:secret@127.0.0.1:1", .cannotConnectToHost),
            ("http://u:secret@proxy.invalid:3128", .cannotFindHost),
        ]
        for (proxy, code) in failures {
            let delegate = try await load("http://origin.invalid/", through: proxy)
            #expect(delegate.transcript == [.failed(code)])
            let error = try #require(delegate.urlError)
            let name = "The proxy \(try ProxyServer(proxy)) "
            #expect(error.localizedDescription.hasPrefix(name))
            #expect(!error.localizedDescription.contains("secret"))
            #expect(error.failingURL?.absoluteString == "http://origin.invalid/")
        }
    }

    @Test("A proxy that closes instead of answering fails the load")
    func closed() async throws {
        let proxy = try ScriptedServer([.waitForRequest, .finish])
        for url in ["http://origin.invalid/", "https://origin.invalid/"] {
            let delegate = try await load(url, through: "127.0.0.1:\(proxy.port)")
            #expect(delegate.transcript == [.failed(.networkConnectionLost)])
        }
    }
}
