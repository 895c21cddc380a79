import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Tunnels through proxies", .timeLimit(.minutes(1)))
struct TunnelTests {
    private let authority: TLSAuthority
    private let origin: TLSIdentity
    private let loop = TestLoop()

    private static let opened = ScriptStep.send("HTTP/1.1 200 Connection established\r\n\r\n")

    init() throws {
        authority = try TLSAuthority()
        origin = try authority.identity(for: ["origin.invalid"])
        loop.loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
    }

    private func load(
        _ text: String = "https://origin.invalid/f",
        through proxy: String,
        fields: [String: String] = [:],
        _ delegate: RecordingDelegate = RecordingDelegate()
    ) async throws -> RecordingDelegate {
        loop.loop.connectionSettings.proxy = .server(try ProxyServer(proxy))
        var request = URLRequest(url: try #require(URL(string: text)))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try await RunLoopNetworkingTests.load(request, delegate, loop: loop.loop)
    }

    @Test("Nothing that is meant for the server is shown to the proxy, nor the other way round")
    func separate() async throws {
        let proxy = try ScriptedServer([
            .waitForRequest, Self.opened, .startTLS(origin),
            .forever([.waitForRequest, .respond(200, body: "abc")]),
        ])
        let fields = [
            "Authorization": "Bearer t", "Cookie": "s=1", "X-Tag": "v", "User-Agent": "me",
            "Proxy-Authorization": "Bearer p",
        ]
        for _ in 1...2 {
            let delegate = try await load(through: "127.0.0.1:\(proxy.port)", fields: fields)
            #expect(delegate.transcript == [.response(200), .data(3), .finished])
        }
        #expect(proxy.connectionCount == 1)
        let requests = proxy.requests
        #expect(requests.map(\.method) == ["CONNECT", "GET", "GET"])
        #expect(requests.map(\.target) == ["origin.invalid:443", "/f", "/f"])
        let names = Set(requests[0].fields.map(\.name))
        #expect(names == ["Host", "Proxy-Connection", "Proxy-Authorization"])
        #expect(requests[0]["Proxy-Authorization"] == "Bearer p")
        for request in requests.dropFirst() {
            #expect(request["Proxy-Authorization"] == nil)
            for (name, value) in fields where name != "Proxy-Authorization" {
                #expect(request.values(for: name) == [value])
            }
        }
    }

    @Test("A proxy that asks who uses it is told, and nobody else is", arguments: [false, true])
    func credentials(isDigest: Bool) async throws {
        let scheme = isDigest ? "Digest realm=\"r\", nonce=\"n\"" : "Basic realm=\"r\""
        let proxy = try ScriptedServer([
            .waitForRequest, .respond(407, ["Proxy-Authenticate: \(scheme)"], body: "who?"),
            .waitForRequest, Self.opened, .startTLS(origin),
            .waitForRequest, .respond(200, body: "abc"),
        ])
        let delegate = try await load(through: "u:p@127.0.0.1:\(proxy.port)")
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        let sent = proxy.requests.map { $0["Proxy-Authorization"]?.prefix(6) }
        #expect(sent == [nil, isDigest ? "Digest" : "Basic ", nil])
        #expect(proxy.requests.allSatisfy { $0["Authorization"] == nil })
    }

    @Test("A proxy that opens no tunnel is named, with its status, and its page is no content")
    func refused() async throws {
        let refusals: [(Int, [String], URLError.Code)] = [
            (401, [], .cannotConnectToHost), (403, [], .cannotConnectToHost),
            (407, ["Proxy-Authenticate: Basic realm=\"r\""], .userAuthenticationRequired),
            (407, [], .userAuthenticationRequired), (502, [], .cannotConnectToHost),
            (302, ["Location: http://elsewhere.invalid/"], .cannotConnectToHost),
        ]
        for (status, fields, code) in refusals {
            for credentials in ["", "u:secret@"] {
                let proxy = try ScriptedServer([
                    .forever([.waitForRequest, .respond(status, fields, body: "<p>no</p>")])
                ])
                let text = "\(credentials)127.0.0.1:\(proxy.port)"
                let delegate = try await load(through: text)
                #expect(delegate.transcript == [.failed(code)])
                let error = try #require(delegate.urlError)
                let name = "The proxy http://127.0.0.1:\(proxy.port) "
                #expect(error.localizedDescription.hasPrefix(name))
                #expect(!error.localizedDescription.contains("secret"))
                #expect(proxy.requests.allSatisfy { $0.method == "CONNECT" })
            }
        }
    }

    @Test("A tunnel that was closed while nobody used it is opened again, without a trace")
    func reopened() async throws {
        let proxy = try ScriptedServer(
            [
                .waitForRequest, Self.opened, .startTLS(origin),
                .waitForRequest, .respond(200, body: "abc"), .waitForHead, .finish,
            ],
            [
                .waitForRequest,
                .send("HTTP/1.1 200 OK\r\nX-Proxy: 1\r\nContent-Length: 10\r\n\r\n"),
                .startTLS(origin), .waitForRequest, .respond(200, body: "defg"),
            ]
        )
        let first = try await load(through: "127.0.0.1:\(proxy.port)")
        #expect(first.transcript == [.response(200), .data(3), .finished])
        let second = try await load(through: "127.0.0.1:\(proxy.port)")
        #expect(second.transcript == [.response(200), .data(4), .finished])
        #expect(second.response?.value(forHTTPHeaderField: "X-Proxy") == nil)
        #expect(proxy.connectionCount == 2)
    }

    // MARK: - Proxies over TLS

    @Test("A proxy over TLS carries plain requests, and tunnels")
    func secureProxy() async throws {
        let identity = try authority.identity()
        let plain = try ScriptedServer(
            [.forever([.waitForRequest, .respond(200, body: "abc")])],
            tls: identity
        )
        for _ in 1...2 {
            let delegate = try await load(
                "http://origin.invalid/f",
                through: "https://127.0.0.1:\(plain.port)"
            )
            #expect(delegate.transcript == [.response(200), .data(3), .finished])
        }
        #expect(plain.connectionCount == 1)
        #expect(plain.requests.first?.target == "http://origin.invalid/f")
        let tunnel = try ScriptedServer(
            [
                .waitForRequest, Self.opened, .startTLS(origin),
                .waitForRequest, .respond(200, body: "abc"),
            ],
            tls: identity
        )
        let delegate = try await load(through: "https://127.0.0.1:\(tunnel.port)")
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(tunnel.requests.map(\.method) == ["CONNECT", "GET"])
    }

    @Test("Behind a proxy over TLS a delegate is asked about the server, and about nobody else")
    func trust() async throws {
        let own = try TLSIdentity.selfSigned(for: ["origin.invalid"])
        let tunnel = try ScriptedServer(
            [.waitForRequest, Self.opened, .startTLS(own), .waitForRequest, .respond(body: "abc")],
            tls: authority.identity()
        )
        let delegate = RecordingDelegate(onChallenge: { challenge, _ in
            guard let trust = challenge.protectionSpace.serverTrust else { return }
            challenge.sender?.use(URLCredential(trust: trust), for: challenge)
        })
        let proxy = "https://127.0.0.1:\(tunnel.port)"
        _ = try await load(through: proxy, delegate)
        let method = NSURLAuthenticationMethodServerTrust
        #expect(
            delegate.transcript == [
                .challenge(method, failures: 0), .response(200), .data(3), .finished,
            ]
        )
        let trusts = delegate.challenges.map(\.protectionSpace.serverTrust)
        #expect(trusts.map(\.?.host) == ["origin.invalid"])
        #expect(trusts.map(\.?.certificates.first?.subject) == ["CN=origin.invalid"])
        #expect(tunnel.requests.map(\.method) == ["CONNECT", "CONNECT", "GET"])
    }

    @Test("A proxy whose certificate nobody vouches for is not used")
    func untrustedProxy() async throws {
        let proxy = try ScriptedServer(
            [.waitForRequest, .respond(200, body: "abc")],
            tls: try TLSAuthority().identity()
        )
        let delegate = try await load(
            "http://origin.invalid/f",
            through: "https://127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.failed(.serverCertificateHasUnknownRoot)])
        #expect(delegate.urlError?.localizedDescription.contains("of the proxy https://") == true)
        #expect(proxy.requests.isEmpty)
    }
}
