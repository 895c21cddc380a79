import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: authentication", .timeLimit(.minutes(1)))
struct ChallengeTests {
    private static let basic = NSURLAuthenticationMethodHTTPBasic
    private static let digest = NSURLAuthenticationMethodHTTPDigest
    private static let credential = URLCredential(user: "u", password: "p", persistence: .none)

    /// What `Authorization` says for that credential by Basic.
    private static let told = "Basic dTpw"

    private static func refusal(_ fields: String...) -> ScriptStep {
        .respond(401, fields.map { "WWW-Authenticate: \($0)" }, body: "denied")
    }

    /// A delegate that answers each challenge in the same way.
    private func answering(
        _ answer:
            @escaping @Sendable (
                any URLAuthenticationChallengeSender, URLAuthenticationChallenge
            ) -> Void
    ) -> RecordingDelegate {
        RecordingDelegate(onChallenge: { challenge, _ in
            if let sender = challenge.sender { answer(sender, challenge) }
        })
    }

    // MARK: - B045

    @Test("A challenge that nobody answers does not hang: the refusal and its body are the answer")
    func b045Nobody() async throws {
        try await withBench { bench in
            let delegate = try await bench.load([Self.refusal(#"Basic realm="secret""#)])
            #expect(delegate.transcript == [.response(401), .data(6), .finished])
            #expect(delegate.body == Data("denied".utf8))
        }
    }

    // B045
    @Test("Continuing without a credential finishes with the refusal, cancelling fails")
    func b045Answered() async throws {
        try await withBench { bench in
            let steps = [Self.refusal(#"Basic realm="secret""#)]
            let asked = TranscriptMessage.challenge(Self.basic, failures: 0)
            let goesOn = answering { $0.continueWithoutCredential(for: $1) }
            try await bench.load(steps, goesOn)
            #expect(goesOn.transcript == [asked, .response(401), .data(6), .finished])
            #expect(goesOn.body == Data("denied".utf8))
            let cancels = answering { $0.cancel($1) }
            try await bench.load(steps, cancels)
            #expect(cancels.transcript == [asked, .failed(.userCancelledAuthentication)])
        }
    }

    // MARK: - B046

    @Test(
        "A refusal that says no way in is an answer like any other",
        arguments: [
            (401, ""), (401, "WWW-Authenticate:\r\n"), (401, "WWW-Authenticate: Bearer\r\n"),
            (403, "WWW-Authenticate: Basic realm=x\r\n"),
        ]
    )
    func b046NoWayIn(status: Int, field: String) async throws {
        try await withBench { bench in
            let head =
                "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\n\(field)"
                + "Content-Length: 13\r\n\r\n"
            let delegate = answering { $0.use(Self.credential, for: $1) }
            try await bench.load([.send(head + #"{"e":"token"}"#)], delegate)
            #expect(delegate.transcript == [.response(status), .data(13), .finished])
            #expect(delegate.body == Data(#"{"e":"token"}"#.utf8))
        }
    }

    // MARK: - B047

    @Test("A wrong password is tried as often as the delegate likes, but not without end")
    func b047WithoutEnd() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .forever([.waitForRequest, Self.refusal(#"Basic realm="r""#)])
            ])
            let delegate = answering { $0.use(Self.credential, for: $1) }
            try await bench.load(server.request("/f"), delegate)
            let asked = (0..<20).map { TranscriptMessage.challenge(Self.basic, failures: $0) }
            #expect(delegate.transcript == asked + [.response(401), .data(6), .finished])
            #expect(server.requests.count == 21)
        }
    }

    // B047
    @Test("A delegate that answers once gets the refusal of its answer")
    func b047Once() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .forever([.waitForRequest, Self.refusal(#"Basic realm="r""#)])
            ])
            let delegate = answering { sender, challenge in
                if challenge.previousFailureCount == 0 {
                    sender.use(Self.credential, for: challenge)
                } else {
                    sender.continueWithoutCredential(for: challenge)
                }
            }
            try await bench.load(server.request("/f"), delegate)
            let wanted: [TranscriptMessage] = [
                .challenge(Self.basic, failures: 0), .challenge(Self.basic, failures: 1),
                .response(401), .data(6), .finished,
            ]
            #expect(delegate.transcript == wanted)
            #expect(server.requests.map { $0["Authorization"] } == [nil, Self.told])
        }
    }

    // MARK: - B049

    @Test(
        "All challenges are read, of one line and of several",
        arguments: [
            [#"Custom realm="one, two", mode=1, note="say \"hi\"", Basic realm="simple""#],
            [#"Custom realm="one, two""#, #"Basic realm="simple""#],
            ["basic realm=simple"],
        ]
    )
    func b049Several(lines: [String]) async throws {
        try await withBench { bench in
            let fields = lines.map { "WWW-Authenticate: \($0)" }
            let server = try bench.serve([
                .waitForRequest, .respond(401, fields),
                .waitForRequest, .respond(200, body: "ok"),
            ])
            let delegate = answering { $0.use(Self.credential, for: $1) }
            try await bench.load(server.request("/f"), delegate)
            let asked = TranscriptMessage.challenge(Self.basic, failures: 0)
            #expect(delegate.transcript == [asked, .response(200), .data(2), .finished])
            #expect(delegate.challenges.map(\.protectionSpace.realm) == ["simple"])
            #expect(server.requests.map { $0["Authorization"] } == [nil, Self.told])
        }
    }

    // B049
    @Test("Basic without a realm is a challenge, and Digest comes before Basic")
    func b049RealmAndOrder() async throws {
        try await withBench { bench in
            let withoutRealm = answering { $0.continueWithoutCredential(for: $1) }
            try await bench.load([Self.refusal("Basic")], withoutRealm)
            #expect(withoutRealm.challenges.map(\.protectionSpace.realm) == [nil])
            let server = try bench.serve([
                .waitForRequest,
                Self.refusal(#"Digest realm="d", nonce="n", qop="auth""#, #"Basic realm="b""#),
                .waitForRequest, .respond(200, body: "ok"),
            ])
            let delegate = answering { $0.use(Self.credential, for: $1) }
            try await bench.load(server.request("/f"), delegate)
            let asked = TranscriptMessage.challenge(Self.digest, failures: 0)
            #expect(delegate.transcript == [asked, .response(200), .data(2), .finished])
            let sent = server.requests.map { $0["Authorization"]?.prefix(19) }
            #expect(sent == [nil, #"Digest username="u""#])
        }
    }

    // MARK: - B051

    @Test("A retry does not go down the network connection that the refusal closed")
    func b051Closed() async throws {
        try await withBench { bench in
            let server = try bench.serve(
                [
                    .waitForRequest,
                    .send(
                        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\n"
                            + "Connection: close\r\nContent-Length: 3\r\n\r\nno!"
                    ),
                    .finish,
                ],
                [.waitForRequest, .respond(200, body: "ok")]
            )
            let asked = Gate()
            let delegate = RecordingDelegate(onChallenge: { _, _ in asked.open() })
            bench.start(server.request("/f", timeout: 0.5), delegate)
            try await asked.opened()
            // Time is what this is about: the delegate thinks longer than the time-out.
            let (time, spent) = (ContinuousClock.now, ThisProcess.processorTime)
            try await bench.turnLoop(for: .seconds(1))
            let share = (ThisProcess.processorTime - spent) / (ContinuousClock.now - time)
            #expect(share < 0.25)
            let challenge = try #require(delegate.challenges.first)
            try await onThread { challenge.sender?.use(Self.credential, for: challenge) }
            try await delegate.ended()
            let first = TranscriptMessage.challenge(Self.basic, failures: 0)
            #expect(delegate.transcript == [first, .response(200), .data(2), .finished])
            #expect(delegate.body == Data("ok".utf8))
            #expect(server.requests.map(\.connection) == [0, 1])
            #expect(server.requests.last?["Authorization"] == Self.told)
        }
    }

    // MARK: - B038, as far as credentials go

    @Test(
        "A credential goes to no other origin, whoever has given it",
        arguments: ["127.0.0.1", "localhost"]
    )
    func b038OtherOrigin(host: String) async throws {
        try await withBench { bench in
            let thief = try bench.serve([
                .forever([.waitForRequest, Self.refusal(#"Basic realm="r""#)])
            ])
            let location = "Location: \(thief.url("/steal", host: host))"
            let server = try bench.serve([
                .forever([
                    .waitForRequest, Self.refusal(#"Basic realm="r""#),
                    .waitForRequest, .respond(302, [location]),
                ])
            ])
            let url = try #require(URL(string: "http://u:p@127.0.0.1:\(server.port)/"))
            let inURL = try await bench.load(URLRequest(url: url))
            #expect(inURL.transcript == [.response(401), .data(6), .finished])
            let answers = answering { sender, challenge in
                if challenge.protectionSpace.port == server.port {
                    sender.use(Self.credential, for: challenge)
                } else {
                    sender.continueWithoutCredential(for: challenge)
                }
            }
            try await bench.load(server.request(), answers)
            #expect(answers.transcript.suffix(3) == [.response(401), .data(6), .finished])
            let told = server.requests.map { $0["Authorization"] }
            #expect(told == [nil, Self.told, nil, Self.told])
            #expect(thief.requests.map { $0["Authorization"] } == [nil, nil])
        }
    }
}
