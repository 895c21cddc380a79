import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Debian's nginx with certificates that don't count, and where it asks for one.
@Suite("nginx: who trusts whom", .timeLimit(.minutes(2)))
struct NginxTrustTests {
    private let nginx: Nginx
    private let client: ClientIdentity
    private let loading = LoadingLoop()
    private let small = Data(repeating: 7, count: 1000)

    init() throws {
        nginx = try Nginx(locations: "add_header X-Reused $ssl_session_reused always;") {
            let own = try $0.selfSigned("own", for: "IP:127.0.0.1")
            let right = try $0.sign("server", for: "IP:127.0.0.1")
            let pair: ((pem: URL, key: URL)) -> String = {
                "ssl_certificate \($0.pem.path); ssl_certificate_key \($0.key.path);"
            }
            let asking = "\(pair(right)) ssl_client_certificate \($0.authority.path);"
            let shown = "location = /who { return 200 $ssl_client_s_dn; }"
            return [
                .init(text: pair(own)),
                .init(text: "\(asking) ssl_verify_client on; \(shown)"),
                .init(text: "\(asking) ssl_verify_client optional; \(shown)"),
                .init(
                    text: "\(pair(right)) ssl_session_cache shared:s:1m; keepalive_timeout 0;",
                    isHTTP2: false
                ),
            ]
        }
        let made = try nginx.certificates.sign("client", for: "DNS:client.test")
        client = try ClientIdentity(certificateFile: made.pem.path, keyFile: made.key.path)
        try nginx.put("small.bin", small)
        loading.loop.connectionSettings.certificateAuthorityFile =
            nginx.certificates.authority.path
    }

    private func answering(
        _ answer: @escaping @Sendable (URLProtectionSpace) -> URLCredential?
    ) -> RecordingDelegate {
        RecordingDelegate(onChallenge: { challenge, _ in
            if let credential = answer(challenge.protectionSpace) {
                challenge.sender?.use(credential, for: challenge)
            } else {
                challenge.sender?.performDefaultHandling(for: challenge)
            }
        })
    }

    private func accepting() -> RecordingDelegate {
        answering { $0.serverTrust.map { URLCredential(trust: $0) } }
    }

    private static let trust = TranscriptMessage.challenge(
        NSURLAuthenticationMethodServerTrust,
        failures: 0
    )
    private static let certificate = TranscriptMessage.challenge(
        NSURLAuthenticationMethodClientCertificate,
        failures: 0
    )

    private func connection(_ delegate: RecordingDelegate) -> String? {
        delegate.response?.value(forHTTPHeaderField: "X-Connection")
    }

    // MARK: - Servers

    @Test("An exception's HTTP/2 connection carries loads of the same exception, and no others")
    func exception() async throws {
        try nginx.put("huge.bin", Data(repeating: 7, count: 30_000_000))
        let url = nginx.moreURLs[0]
        let slow = accepting()
        let connection = try loading.start(url.appendingPathComponent("slow/huge.bin"), slow)
        try await slow.heard { $0 == .response(200) }
        #expect(slow.response?.value(forHTTPHeaderField: "X-Protocol") == "HTTP/2.0")
        let file = url.appendingPathComponent("small.bin")
        let plain = try await loading.load(file)
        #expect(plain.transcript == [.failed(.serverCertificateUntrusted)])
        let refusing = try await loading.load(file, answering { _ in nil })
        #expect(refusing.transcript == [Self.trust, .failed(.serverCertificateUntrusted)])
        let same = try await loading.load(file, accepting())
        #expect(same.transcript == [Self.trust, .response(200), .data(1000), .finished])
        #expect(self.connection(same) == self.connection(slow))
        connection.cancel()
    }

    @Test("A session that nginx offers again does not go round the challenge")
    func sessions() async throws {
        let file = nginx.moreURLs[3].appendingPathComponent("small.bin")
        var reused: [String?] = []
        for _ in 0..<5 {
            let delegate = Silent()
            try loading.start(file, delegate)
            try await delegate.finished.opened()
            reused.append(delegate.reused)
        }
        // So the server and libcurl do take up sessions again.
        #expect(reused.last == "r")
        for _ in 0..<2 {
            let asked = try await loading.load(file, accepting())
            #expect(asked.transcript == [Self.trust, .response(200), .data(1000), .finished])
            #expect(asked.response?.value(forHTTPHeaderField: "X-Reused") == ".")
        }
    }

    /// Has no method for challenges, and keeps what the server says of the session.
    private final class Silent: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
        // Written in a message, read behind the gate.
        var reused: String?
        let finished = Gate()

        func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
            reused = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Reused")
        }

        func connectionDidFinishLoading(_ connection: NSURLConnection) { finished.open() }
    }

    // MARK: - Clients

    @Test("nginx sees the certificate that is shown to it", arguments: [1, 2])
    func shown(server: Int) async throws {
        let url = nginx.moreURLs[server].appendingPathComponent("who")
        let delegate = answering { [client] space in
            space.acceptableIssuers.map { _ in URLCredential(identity: client) }
        }
        _ = try await loading.load(url, delegate)
        #expect(
            delegate.transcript == [
                Self.trust, Self.certificate, Self.trust, .response(200), .data(9), .finished,
            ]
        )
        #expect(String(decoding: delegate.body, as: UTF8.self) == "CN=client")
        let issuers = delegate.challenges[1].protectionSpace.acceptableIssuers
        #expect(issuers == ["CN=Test authority"])
    }

    @Test("Without one nginx answers 400 where it wants one, and nothing special elsewhere")
    func none() async throws {
        for (server, status) in [(1, 400), (2, 200)] {
            let url = nginx.moreURLs[server].appendingPathComponent("who")
            let delegate = try await loading.load(url)
            #expect(delegate.transcript.first == .response(status))
            #expect(delegate.transcript.last == .finished)
        }
    }
}
