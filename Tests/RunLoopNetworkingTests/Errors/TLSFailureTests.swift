import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Failures of TLS", .timeLimit(.minutes(1)))
struct TLSFailureTests {
    private let authority: TLSAuthority
    private let loop = TestLoop()

    init() throws {
        authority = try TLSAuthority()
        loop.loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
    }

    // MARK: - How it ends

    /// A response, and what becomes of it when the server ends with a close_notify and without one.
    struct Ending: CustomTestStringConvertible {
        let testDescription: String
        let response: String
        let withNotice: [TranscriptMessage]
        let withoutNotice: [TranscriptMessage]
    }

    private static let whole: [TranscriptMessage] = [.response(200), .data(5), .finished]
    private static let cut: [TranscriptMessage] = [
        .response(200), .data(5), .failed(.networkConnectionLost),
    ]

    private static let endings = [
        Ending(
            testDescription: "all that was announced",
            response: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHELLO",
            withNotice: whole,
            withoutNotice: whole
        ),
        Ending(
            testDescription: "the last chunk",
            response:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHELLO\r\n0\r\n\r\n",
            withNotice: whole,
            withoutNotice: whole
        ),
        Ending(
            testDescription: "a body that the end of the connection ends",
            response: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nHELLO",
            withNotice: whole,
            withoutNotice: cut
        ),
        Ending(
            testDescription: "an empty body that the end of the connection ends",
            response: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
            withNotice: [.response(200), .finished],
            withoutNotice: [.response(200), .failed(.networkConnectionLost)]
        ),
        Ending(
            testDescription: "HTTP/1.0, whose body the end of the connection ends",
            response: "HTTP/1.0 200 OK\r\n\r\nHELLO",
            withNotice: whole,
            withoutNotice: cut
        ),
        Ending(
            testDescription: "less than was announced",
            response: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHELLO",
            withNotice: cut,
            withoutNotice: cut
        ),
        Ending(
            testDescription: "no last chunk",
            response: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHELLO\r\n",
            withNotice: cut,
            withoutNotice: cut
        ),
        Ending(
            testDescription: "a head that is cut off",
            response: "HTTP/1.1 200 OK\r\nContent-Le",
            withNotice: [.failed(.networkConnectionLost)],
            withoutNotice: [.failed(.networkConnectionLost)]
        ),
        Ending(
            testDescription: "no answer at all",
            response: "",
            withNotice: [.failed(.networkConnectionLost)],
            withoutNotice: [.failed(.networkConnectionLost)]
        ),
    ]

    // B113
    @Test("A body that only the end can end needs a close_notify", arguments: endings)
    func b113EndNeedsANotice(ending: Ending) async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .send(ending.response), .finish],
            [.waitForRequest, .send(ending.response), .finishWithoutNotice],
            tls: authority.identity()
        )
        for expected in [ending.withNotice, ending.withoutNotice] {
            // A POST is not sent again when a network connection was of no use.
            let request = server.request(method: "POST")
            let delegate = try await load(request, loop: loop.loop)
            #expect(delegate.transcript == expected)
            #expect(delegate.faults.isEmpty)
        }
        #expect(server.connectionCount == 2)
    }

    // B113
    @Test("A body that only the end can end, and that a reset ends, fails")
    func b113ResetIsNoEnd() async throws {
        let heard = Gate()
        let server = try ScriptedServer(
            [
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nHELLO"),
                .waitFor(heard), .reset,
            ],
            tls: authority.identity()
        )
        let delegate = RecordingDelegate { message, _ in
            if message == .data(5) { heard.open() }
        }
        try await load(server.request(), delegate, loop: loop.loop)
        #expect(delegate.transcript == Self.cut)
    }

    // MARK: - Whom it trusts

    // B114
    @Test(
        "A certificate that does not count is refused before anything is sent",
        arguments: [
            ("expired", .serverCertificateHasBadDate),
            ("not yet valid", .serverCertificateNotYetValid),
            ("another name", .serverCertificateUntrusted),
            ("self-signed", .serverCertificateUntrusted),
            ("unknown authority", .serverCertificateHasUnknownRoot),
        ] as [(String, URLError.Code)]
    )
    func refused(fault: String, code: URLError.Code) async throws {
        let identity =
            switch fault {
            case "expired": try authority.identity(validity: .expired)
            case "not yet valid": try authority.identity(validity: .notYetValid)
            case "another name": try authority.identity(for: ["other.test"])
            case "self-signed": try TLSIdentity.selfSigned()
            default: try TLSAuthority().identity()
            }
        let server = try ScriptedServer([.waitForRequest, .respond()], tls: identity)
        let delegate = try await load(server.request("/secret"), loop: loop.loop)
        #expect(delegate.transcript == [.failed(code)])
        #expect(delegate.urlError?.failingURL == server.url("/secret"))
        try await server.closedByClient(connections: 1)
        #expect(server.requests.isEmpty)
    }

    // B114
    @Test("The system's authorities do not know an authority of a test")
    func systemAuthorities() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()], tls: authority.identity())
        let delegate = try await load(server.request())
        #expect(delegate.transcript == [.failed(.serverCertificateHasUnknownRoot)])
        #expect(server.requests.isEmpty)
    }

    @Test("A certificate counts for each of its names, and for no other")
    func names() async throws {
        let identity = try authority.identity(for: ["first.test", "localhost"])
        let server = try ScriptedServer([.waitForRequest, .respond(body: "abc")], tls: identity)
        let named = URLRequest(url: server.url(host: "localhost"))
        let delegate = try await load(named, loop: loop.loop)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        let numbered = try await load(server.request(), loop: loop.loop)
        #expect(numbered.transcript == [.failed(.serverCertificateUntrusted)])
    }

    @Test("An answer that is no TLS fails, and so does a server that closes at once")
    func noTLS() async throws {
        let server = try ScriptedServer(
            [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .finish],
            [.finish]
        )
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        for _ in 0..<2 {
            let delegate = try await load(URLRequest(url: url), loop: loop.loop)
            #expect(delegate.transcript == [.failed(.secureConnectionFailed)])
        }
        #expect(server.connectionCount == 2)
    }
}
