import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: TLS", .timeLimit(.minutes(1)))
struct TrustTests {
    private static let script: [ScriptStep] = [
        .forever([.waitForRequest, .respond(200, ["Set-Cookie: a=1"], body: "ok")])
    ]
    private static let loaded: [TranscriptMessage] = [.response(200), .data(2), .finished]

    /// Makes a server that is stopped when the bench is left, and has its authority trusted.
    private func serve(
        on bench: Bench,
        _ identity: (TLSAuthority) throws -> TLSIdentity
    ) throws -> (server: ScriptedServer, authority: TLSAuthority) {
        let authority = try TLSAuthority()
        bench.loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
        return (try bench.serve(tls: identity(authority), [Self.script]), authority)
    }

    // B114
    @Test(
        "A certificate that does not count fails with its own code, unless it is accepted by itself",
        arguments: [
            ("self-signed", .serverCertificateUntrusted),
            ("expired", .serverCertificateHasBadDate),
            ("other.test", .serverCertificateUntrusted),
            ("not yet valid", .serverCertificateNotYetValid),
            ("unknown root", .serverCertificateHasUnknownRoot),
        ] as [(String, URLError.Code)]
    )
    func b114Refused(fault: String, code: URLError.Code) async throws {
        try await withBench { bench in
            let (server, authority) = try serve(on: bench) { authority in
                switch fault {
                case "self-signed": try TLSIdentity.selfSigned(for: ["localhost"])
                case "expired": try authority.identity(for: ["localhost"], validity: .expired)
                case "other.test": try authority.identity(for: ["other.test"])
                case "not yet valid":
                    try authority.identity(for: ["localhost"], validity: .notYetValid)
                default: try TLSAuthority().identity(for: ["localhost"])
                }
            }
            let url = server.url("/f", host: "localhost")
            let refused = try await bench.load(URLRequest(url: url))
            #expect(refused.transcript == [.failed(code)])
            #expect(refused.urlError?.failingURL == url)
            // Not a byte of the request was sent.
            try await server.closedByClient(connections: 1)
            #expect(server.requests.isEmpty)
            let accepting = RecordingDelegate(onChallenge: { challenge, _ in
                guard let trust = challenge.protectionSpace.serverTrust else { return }
                challenge.sender?.use(URLCredential(trust: trust), for: challenge)
            })
            try await bench.load(URLRequest(url: url), accepting)
            let method = NSURLAuthenticationMethodServerTrust
            #expect(accepting.transcript == [.challenge(method, failures: 0)] + Self.loaded)
            withExtendedLifetime(authority) {}
        }
    }

    // B116
    @Test("A host with the dot that ends it is asked for, checked and told as without it")
    func b116TrailingDot() async throws {
        try await withBench { bench in
            bench.loop.connectionSettings.cookieStore = CookieStore()
            let (server, authority) = try serve(on: bench) {
                try $0.identity(for: ["localhost"])
            }
            for host in ["localhost.", "localhost", "LOCALHOST."] {
                let url = server.url("/f", host: host)
                let delegate = try await bench.load(URLRequest(url: url))
                #expect(delegate.transcript == Self.loaded)
                #expect(delegate.response?.url?.host == host.lowercased())
            }
            #expect(Set(server.serverNames) == ["localhost"])
            #expect(Set(server.requests.map { $0["Host"] }) == ["localhost:\(server.port)"])
            // The cookie of the first answer belongs to all three.
            #expect(server.requests.map { $0["Cookie"] } == [nil, "a=1", "a=1"])
            withExtendedLifetime(authority) {}
        }
    }
}
