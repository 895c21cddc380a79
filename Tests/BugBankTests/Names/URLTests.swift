import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: URLs", .timeLimit(.minutes(1)))
struct URLTests {
    private static let answer: [ScriptStep] = [
        .forever([.waitForRequest, .respond(200, body: "x")])
    ]

    // B138, and other ways to name two servers.
    @Test(
        "The server that is asked is the one that the URL reports, or the URL is refused",
        arguments: [
            "http://127.0.0.1:{1}\\@127.0.0.1:{2}/", "http://127.0.0.1:{1}#@127.0.0.1:{2}/",
            "http://a@127.0.0.1:{1}@127.0.0.1:{2}/", "http://0x7f.1:{1}/", "http://127.1:{1}/",
            "http:/127.0.0.1:{1}/", "http://127.0.0.1:{1}/\\@127.0.0.1:{2}/",
            "http://127.0.0.1:{1}?@127.0.0.1:{2}/", "http://127.0.0.1:{1};@127.0.0.1:{2}/",
            "http://127.0.0.1:{1}%40127.0.0.1:{2}/", "http://127.0.0.1:{1}%2F@127.0.0.1:{2}/",
            "http://2130706433:{1}/", "http://0177.0.0.1:{1}/", "http://127.0.0.1.:{1}/",
            "http://user:pass@127.0.0.1:{1}/", "http://127.0.0.1:{1}:{2}/",
            "http://loc%61lhost:{1}/", "http://127。0。0。1:{1}/",
        ]
    )
    func b138WhichServerIsMeant(pattern: String) async throws {
        try await withBench { bench in
            let (first, second) = (try bench.serve(Self.answer), try bench.serve(Self.answer))
            let text = pattern.replacingOccurrences(of: "{1}", with: "\(first.port)")
                .replacingOccurrences(of: "{2}", with: "\(second.port)")
            guard let url = URL(string: text) else { return }
            let delegate = try await bench.load(URLRequest(url: url))
            let reported = [first, second].first { $0.port == url.port }
            let other = [first, second].first { $0.port != url.port }
            #expect(other?.connectionCount == 0)
            if delegate.transcript.last == .finished {
                #expect(reported?.connectionCount == 1)
                #expect(["127.0.0.1", "localhost"].contains(url.host))
            } else {
                let code = try #require(delegate.urlError?.code)
                #expect([.badURL, .cannotFindHost].contains(code))
                #expect(delegate.transcript == [.failed(code)])
                #expect(reported?.connectionCount ?? 0 == 0)
            }
        }
    }

    // B138
    @Test(
        "A host that can be read in two ways is refused, although one of them is meant",
        arguments: ["http://0x7f.1:{1}/", "http://127.1:{1}/", "http://2130706433:{1}/"]
    )
    func b138OddNumbers(pattern: String) async throws {
        try await withBench { bench in
            let server = try bench.serve(Self.answer)
            let text = pattern.replacingOccurrences(of: "{1}", with: "\(server.port)")
            let delegate = try await bench.load(URLRequest(url: try #require(URL(string: text))))
            #expect(delegate.transcript == [.failed(.badURL)])
            #expect(server.connectionCount == 0)
        }
    }

    // B138
    @Test("A redirect to a host that can be read in two ways is refused")
    func b138RedirectToOddNumbers() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .waitForRequest, .respond(302, ["Location: http://127.1:1/"]),
            ])
            let delegate = try await bench.load(server.request())
            #expect(delegate.transcript == [.failed(.badURL)])
        }
    }

    // B139
    @Test(
        "An IPv6 literal reaches its server, in any spelling",
        .enabled(if: SixthLoopback.exists),
        arguments: ["[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]"]
    )
    func b139SixthLiterals(host: String) async throws {
        try await withBench { bench in
            let server = try bench.serve(on: .v6, Self.answer)
            let delegate = try await bench.load(
                URLRequest(url: server.url("/", host: host))
            )
            #expect(delegate.transcript == [.response(200), .data(1), .finished])
            let sent = try #require(server.requests.first?["Host"])
            #expect(["[::1]:\(server.port)", "\(host):\(server.port)"].contains(sent))
        }
    }

    // B139
    @Test(
        "An IPv6 literal with a zone connects or fails cleanly",
        arguments: ["[fe80::1%25lo]", "[fe80::1%25nowhere]", "[fe80::1%lo]"]
    )
    func b139Zones(host: String) async throws {
        try await withBench { bench in
            let url = try #require(URL(string: "http://\(host):1/"))
            let delegate = try await bench.load(URLRequest(url: url, timeoutInterval: 10))
            let code = try #require(delegate.urlError?.code)
            let codes: [URLError.Code] = [
                .badURL, .cannotConnectToHost, .notConnectedToInternet, .cannotFindHost,
            ]
            #expect(codes.contains(code))
        }
    }

    // B141: libcurl resolves what ends in .localhost by itself, so that no name server is needed.
    @Test("A host name that is not ASCII goes out as Punycode")
    func b141NotASCII() async throws {
        try await withBench { bench in
            let server = try bench.serve(Self.answer)
            let url = try #require(URL(string: "http://bücher.localhost:\(server.port)/ü"))
            let delegate = try await bench.load(URLRequest(url: url))
            #expect(delegate.transcript == [.response(200), .data(1), .finished])
            let request = try #require(server.requests.first)
            #expect(request["Host"] == "xn--bcher-kva.localhost:\(server.port)")
            #expect(request.head.allSatisfy { $0 < 0x80 })
        }
    }
}
