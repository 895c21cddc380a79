import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Debian's squid and microsocks in place of proxies that were written to please us; nginx behind them.
@Suite("squid and microsocks", .timeLimit(.minutes(2)))
struct ProxyServersTests {
    private let nginx: Nginx
    private let loop = LoadingLoop()
    private let small = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })

    init() throws {
        nginx = try Nginx()
        try nginx.put("small.bin", small)
        loop.loop.connectionSettings.certificateAuthorityFile = nginx.certificates.authority.path
    }

    private func use(_ kind: String, _ port: UInt16, password: String?) throws {
        var proxy = try ProxyServer("\(kind)://127.0.0.1:\(port)")
        if let password { (proxy.user, proxy.password) = ("me", password) }
        loop.loop.connectionSettings.proxy = .server(proxy)
    }

    private var urls: [URL] {
        [nginx.url, nginx.secureURL].map { $0.appendingPathComponent("small.bin") }
    }

    @Test(
        "squid carries plain requests, and tunnels with HTTP/2 in them",
        arguments: ["http", "https"]
    )
    func squid(kind: String) async throws {
        let squid = try Squid(nginx.certificates)
        try use(kind, kind == "http" ? squid.port : squid.securePort, password: Squid.password)
        for _ in 1...5 {
            for url in urls {
                let delegate = try await loop.load(url)
                #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
                #expect(delegate.body == small)
                let via = delegate.response?.value(forHTTPHeaderField: "Via")
                #expect((via?.contains("squid") ?? false) == (url.scheme == "http"))
                let spoken = delegate.response?.value(forHTTPHeaderField: "X-Protocol")
                #expect(spoken == (url.scheme == "http" ? "HTTP/1.1" : "HTTP/2.0"))
            }
        }
    }

    @Test("squid says who may not use it", arguments: [nil, "wrong"])
    func squidRefuses(password: String?) async throws {
        let squid = try Squid(nginx.certificates)
        try use("http", squid.port, password: password)
        let plain = try await loop.load(urls[0])
        #expect(plain.transcript.first == .response(407))
        #expect(plain.transcript.last == .finished)
        #expect(plain.body.range(of: Data("squid".utf8)) != nil)
        let secure = try await loop.load(urls[1])
        #expect(secure.transcript == [.failed(.userAuthenticationRequired)])
    }

    @Test("A server that squid does not reach is an answer of squid, or a failure")
    func squidReachesNobody() async throws {
        let squid = try Squid(nginx.certificates)
        try use("http", squid.port, password: Squid.password)
        let plain = try await loop.load(try #require(URL(string: "http://127.0.0.1:1/")))
        #expect(plain.transcript.first == .response(503))
        let secure = try await loop.load(try #require(URL(string: "https://127.0.0.1:1/")))
        #expect(secure.transcript == [.failed(.cannotConnectToHost)])
    }

    @Test("microsocks carries plain requests and TLS", arguments: ["socks5", "socks5h"])
    func microsocks(kind: String) async throws {
        let proxy = try SOCKSProxy()
        try use(kind, proxy.port, password: SOCKSProxy.password)
        for _ in 1...5 {
            for url in urls {
                let delegate = try await loop.load(url)
                #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
                #expect(delegate.body == small)
            }
        }
        let nobody = try await loop.load(try #require(URL(string: "http://127.0.0.1:1/")))
        #expect(nobody.transcript == [.failed(.cannotConnectToHost)])
    }

    @Test("microsocks says who may not use it", arguments: [nil, "wrong"])
    func microsocksRefuses(password: String?) async throws {
        let proxy = try SOCKSProxy()
        try use("socks5h", proxy.port, password: password)
        let delegate = try await loop.load(urls[0])
        #expect(delegate.transcript == [.failed(.userAuthenticationRequired)])
    }
}
