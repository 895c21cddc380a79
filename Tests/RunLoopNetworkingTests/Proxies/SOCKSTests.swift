import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("SOCKS proxies", .timeLimit(.minutes(1)))
struct SOCKSTests {
    private let loop = TestLoop()

    private func load(_ text: String, through proxy: String) async throws -> RecordingDelegate {
        loop.loop.connectionSettings.proxy = .server(try ProxyServer(proxy))
        let url = try #require(URL(string: text))
        return try await RunLoopNetworkingTests.load(URLRequest(url: url), loop: loop.loop)
    }

    /// A SOCKS 5 proxy (RFC 1928) that keeps what it is told in `heard`.
    private func proxy(
        method: UInt8 = 0,
        reply: UInt8 = 0,
        heard: Heard
    ) throws -> ScriptedServer {
        let count = method == 2 ? 3 : 2
        return try ScriptedServer([
            .converse {
                var heardHere = 0
                return { bytes in
                    heardHere += 1
                    heard.append(bytes)
                    guard heardHere < count else { return nil }
                    return heardHere == 1 ? [5, method] : [1, 0]
                }
            },
            .send([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]),
            .waitForRequest, .respond(200, body: "abc"),
        ])
    }

    @Test("SOCKS 5 with names looked up by the proxy sends the name and the port")
    func remoteNames() async throws {
        let heard = Heard()
        let proxy = try proxy(heard: heard)
        let delegate = try await load(
            "http://origin.invalid:8080/f",
            through: "socks5h://127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        let name = Array("origin.invalid".utf8)
        let asked: [UInt8] = [5, 1, 0, 3, UInt8(name.count)] + name + [0x1F, 0x90]
        #expect(heard.pieces.last == asked)
        #expect(proxy.requests.first?.target == "/f")
        #expect(proxy.requests.first?["Host"] == "origin.invalid:8080")
    }

    @Test("SOCKS 5 with names looked up here sends the address, and fails where there is none")
    func localNames() async throws {
        let heard = Heard()
        let proxy = try proxy(heard: heard)
        let delegate = try await load(
            "http://127.0.0.1:8080/f",
            through: "socks5://127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(heard.pieces.last == [5, 1, 0, 1, 127, 0, 0, 1, 0x1F, 0x90])
        let unknown = try await load(
            "http://origin.invalid/f",
            through: "socks5://127.0.0.1:\(proxy.port)"
        )
        #expect(unknown.transcript == [.failed(.cannotFindHost)])
    }

    @Test("SOCKS 5 sends user and password if it is asked for them")
    func credentials() async throws {
        let heard = Heard()
        let proxy = try proxy(method: 2, heard: heard)
        let delegate = try await load(
            "http://origin.invalid/f",
            through: "socks5h://me:pw@127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(heard.pieces.first == [5, 2, 0, 2])
        let answer: [UInt8] = [1, 2] + Array("me".utf8) + [2] + Array("pw".utf8)
        #expect(heard.pieces.dropFirst().first == answer)
        #expect(proxy.requests.first?["Authorization"] == nil)
        #expect(proxy.requests.first?["Proxy-Authorization"] == nil)
    }

    @Test(
        "What a SOCKS 5 proxy refuses has a code of its own, and the proxy is named",
        arguments: [
            (0, 1, .cannotConnectToHost), (0, 2, .cannotConnectToHost),
            (0, 3, .notConnectedToInternet), (0, 4, .cannotConnectToHost),
            (0, 5, .cannotConnectToHost), (0xFF, 0, .userAuthenticationRequired),
        ] as [(UInt8, UInt8, URLError.Code)]
    )
    func refused(method: UInt8, reply: UInt8, code: URLError.Code) async throws {
        let proxy = try proxy(method: method, reply: reply, heard: Heard())
        let delegate = try await load(
            "http://origin.invalid/f",
            through: "socks5h://127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.failed(code)])
        let name = "The proxy socks5h://127.0.0.1:\(proxy.port) "
        #expect(delegate.urlError?.localizedDescription.hasPrefix(name) == true)
    }

    @Test("SOCKS 4 sends an address, and SOCKS 4a the name", arguments: [false, true])
    func version4(sendsName: Bool) async throws {
        let heard = Heard()
        let proxy = try ScriptedServer([
            .converse {
                { bytes in
                    heard.append(bytes)
                    return nil
                }
            },
            .send([0, 90, 0, 0, 0, 0, 0, 0]), .waitForRequest, .respond(200, body: "abc"),
        ])
        let host = sendsName ? "origin.invalid" : "127.0.0.1"
        let kind = sendsName ? "socks4a" : "socks4"
        let delegate = try await load(
            "http://\(host):8080/f",
            through: "\(kind)://me@127.0.0.1:\(proxy.port)"
        )
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        let address: [UInt8] = sendsName ? [0, 0, 0, 1] : [127, 0, 0, 1]
        let name: [UInt8] = sendsName ? Array(host.utf8) + [0] : []
        let user: [UInt8] = Array("me".utf8) + [0]
        let asked: [UInt8] = [4, 1, 0x1F, 0x90] + address + user + name
        #expect(heard.pieces == [asked])
    }
}

/// What a proxy has heard, one entry for each piece.
private final class Heard: Sendable {
    private let guarded = Guarded<[[UInt8]]>([])

    var pieces: [[UInt8]] { guarded.withLock { $0 } }

    func append(_ piece: [UInt8]) {
        guarded.withLock { $0.append(piece) }
    }
}
