import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// The schemes that take more than a header line: libcurl does the steps.
@Suite("Digest, NTLM and Negotiate", .timeLimit(.minutes(1)))
struct SchemeTests {
    private let answer = ScriptStep.respond(200, body: "abc")

    private func digest(_ nonce: String, _ more: String = "") -> ScriptStep {
        .respond(
            401,
            [#"WWW-Authenticate: Digest realm="r", nonce="\#(nonce)", qop="auth"\#(more)"#],
            body: "denied"
        )
    }

    private func parameters(_ request: RecordedRequest?) -> [String: String] {
        let challenges = (request?["Authorization"]).map { Self.parts(of: $0) } ?? [:]
        return challenges
    }

    /// The parameters of a Digest header; none of those that are looked at has a comma in it.
    private static func parts(of value: String) -> [String: String] {
        guard value.hasPrefix("Digest ") else { return [:] }
        return value.dropFirst(7).split(separator: ",").reduce(into: [:]) { parts, part in
            let sides = part.split(separator: "=", maxSplits: 1)
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"")) }
            if sides.count == 2 { parts[sides[0]] = sides[1] }
        }
    }

    // MARK: - Digest

    @Test("Digest answers to the nonce of the refusal, without another refusal before")
    func digestAtOnce() async throws {
        let server = try ScriptedServer([
            .waitForRequest, digest("n1"), .waitForRequest, answer,
        ])
        var request = server.request("/f?q", method: "POST")
        request.httpBody = Data("body".utf8)
        let delegate = try await load(request, .using(.right()))
        let wanted: [TranscriptMessage] = [
            .challenge(digestMethod, failures: 0), .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(server.requests.count == 2)
        let sent = parameters(server.requests.last)
        #expect(sent["username"] == "login" && sent["realm"] == "r" && sent["nonce"] == "n1")
        #expect(sent["uri"] == "/f?q" && sent["qop"] == "auth")
        #expect(server.requests.map(\.bodyText) == ["body", "body"])
        #expect(server.connectionCount == 1)
    }

    @Test("A wrong password for Digest is asked for again")
    func digestRefused() async throws {
        let server = try ScriptedServer([
            .waitForRequest, digest("n1"),
            // libcurl tries the same once more before it gives up.
            .waitForRequest, digest("n2"), .waitForRequest, digest("n3"),
            .waitForRequest, answer,
        ])
        let delegate = RecordingDelegate.answering { sender, challenge in
            let isFirst = challenge.previousFailureCount == 0
            sender.use(isFirst ? .wrong() : .right(), for: challenge)
        }
        try await load(server.request(), delegate)
        let wanted: [TranscriptMessage] = [
            .challenge(digestMethod, failures: 0), .challenge(digestMethod, failures: 1),
            .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(parameters(server.requests.last)["nonce"] == "n3")
    }

    @Test("A refusal of Digest that is final is delivered with its body")
    func digestDelivered() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, digest("n")])])
        let delegate = RecordingDelegate.answering { sender, challenge in
            if challenge.previousFailureCount == 0 {
                sender.use(.wrong(), for: challenge)
            } else {
                sender.continueWithoutCredential(for: challenge)
            }
        }
        try await load(server.request(), delegate)
        #expect(delegate.transcript.suffix(3) == [.response(401), .data(6), .finished])
        #expect(delegate.body == Data("denied".utf8))
    }

    @Test("A nonce that has gone stale is replaced without asking again")
    func stale() async throws {
        let server = try ScriptedServer([
            .waitForRequest, digest("n1"),
            .waitForRequest, digest("n2", ", stale=true"),
            .waitForRequest, digest("n3", ", stale=true"),
            .waitForRequest, answer,
        ])
        let delegate = try await load(server.request(), .using(.right()))
        let wanted: [TranscriptMessage] = [
            .challenge(digestMethod, failures: 0), .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
    }

    @Test("A server whose nonces go stale for ever ends the load")
    func staleForEver() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, digest("n", ", stale=true")])])
        let delegate = try await load(server.request(), .using(.right()))
        #expect(delegate.transcript.last == .failed(.badServerResponse))
        #expect(server.requests.count < 20)
    }

    @Test("A refused Digest has another body decoded than the answer that follows it")
    func codings() async throws {
        let coded: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0,
            0,
            0,
        ]
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
        let server = try ScriptedServer([
            .waitForRequest, digest("n1"), .waitForRequest, digest("n2", ", stale=true"),
            .waitForRequest, .send(head), .send(coded),
        ])
        let delegate = try await load(server.request(), .using(.right()))
        #expect(delegate.transcript.suffix(3) == [.response(200), .data(5), .finished])
        #expect(delegate.body == Data("hello".utf8))
    }

    @Test("The first of several challenges in one line is not the one that is answered")
    func strongest() async throws {
        let refusal = ScriptStep.respond(
            401,
            [
                #"WWW-Authenticate: Basic realm="b", "#
                    + #"Digest realm="d", nonce="n", algorithm=SHA-256, qop="auth""#
            ]
        )
        let server = try ScriptedServer([.waitForRequest, refusal, .waitForRequest, answer])
        let delegate = try await load(server.request(), .using(.right()))
        #expect(delegate.transcript.last == .finished)
        let sent = parameters(server.requests.last)
        #expect(sent["realm"] == "d" && sent["algorithm"] == "SHA-256")
        #expect(sent["response"]?.count == 64)
    }

    @Test("Where Digest was rejected Basic goes out, on a handle without its nonce")
    func basicAfterDigest() async throws {
        let refusal = ScriptStep.respond(
            401,
            [#"WWW-Authenticate: Digest realm="d", nonce="n""#, "WWW-Authenticate: Basic realm=b"]
        )
        let server = try ScriptedServer([.waitForRequest, refusal, .waitForRequest, answer])
        let delegate = RecordingDelegate.answering { sender, challenge in
            if challenge.protectionSpace.authenticationMethod == digestMethod {
                sender.rejectProtectionSpaceAndContinue(with: challenge)
            } else {
                sender.use(.right(), for: challenge)
            }
        }
        try await load(server.request(), delegate)
        #expect(delegate.transcript.last == .finished)
        #expect(server.requests.map { $0["Authorization"] } == [nil, rightBasic])
    }

    // MARK: - NTLM

    /// The server's step of NTLM, with a challenge of eight bytes.
    private var secondStep: String {
        var message = Data("NTLMSSP\u{0}".utf8)
        message.append(contentsOf: [2, 0, 0, 0])
        message.append(contentsOf: [0, 0, 0, 0, 48, 0, 0, 0])
        message.append(contentsOf: [0x01, 0x82, 0, 0])
        message.append(contentsOf: [1, 2, 3, 4, 5, 6, 7, 8])
        message.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, 0])
        message.append(contentsOf: [0, 0, 0, 0, 48, 0, 0, 0])
        return message.base64EncodedString()
    }

    /// Which step of NTLM a request takes.
    private func step(_ request: RecordedRequest) -> Int? {
        guard let value = request["Authorization"], value.hasPrefix("NTLM "),
            let message = Data(base64Encoded: String(value.dropFirst(5))), message.count > 8
        else { return nil }
        return Int(message[8])
    }

    private var handshake: [ScriptStep] {
        [
            .waitForRequest, .respond(401, ["WWW-Authenticate: NTLM"], body: "denied"),
            .waitForRequest,
            .respond(401, ["WWW-Authenticate: NTLM \(secondStep)"], body: "more"),
            .waitForRequest,
        ]
    }

    @Test("NTLM's handshake is one answer, on one network connection")
    func ntlm() async throws {
        let server = try ScriptedServer(handshake + [answer])
        let delegate = try await load(server.request(), .using(.right()))
        let wanted: [TranscriptMessage] = [
            .challenge(NSURLAuthenticationMethodNTLM, failures: 0), .response(200), .data(3),
            .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(server.requests.map(step) == [nil, 1, 3])
        #expect(server.connectionCount == 1)
    }

    @Test("NTLM sends a body with the last step only")
    func ntlmBody() async throws {
        let server = try ScriptedServer(handshake + [answer])
        var request = server.request(method: "POST")
        request.httpBody = Data("body".utf8)
        let delegate = try await load(request, .using(.right()))
        #expect(delegate.transcript.suffix(3) == [.response(200), .data(3), .finished])
        #expect(server.requests.map(\.bodyText) == ["body", "", "body"])
    }

    @Test("NTLM that is refused at last asks again, and counts one failure")
    func ntlmRefused() async throws {
        let server = try ScriptedServer(
            handshake + [.respond(401, ["WWW-Authenticate: NTLM"], body: "wrong")]
        )
        let delegate = RecordingDelegate.answering { sender, challenge in
            if challenge.previousFailureCount == 0 {
                sender.use(.wrong(), for: challenge)
            } else {
                sender.continueWithoutCredential(for: challenge)
            }
        }
        try await load(server.request(), delegate)
        let wanted: [TranscriptMessage] = [
            .challenge(NSURLAuthenticationMethodNTLM, failures: 0),
            .challenge(NSURLAuthenticationMethodNTLM, failures: 1),
            .response(401), .data(5), .finished,
        ]
        #expect(delegate.transcript == wanted)
    }

    // MARK: - Negotiate

    @Test("Negotiate without tickets leads on to the next scheme")
    func negotiate() async throws {
        let refusal = ScriptStep.respond(
            401,
            ["WWW-Authenticate: Negotiate", "WWW-Authenticate: Basic realm=r"],
            body: "denied"
        )
        let server = try ScriptedServer(
            [
                .waitForRequest, refusal, .waitForRequest, refusal,
            ],
            [.waitForRequest, answer]
        )
        // Tickets of whoever runs the tests are out of the way: the server's name has none.
        let delegate = try await load(server.request(), .using(.right()))
        let wanted: [TranscriptMessage] = [
            .challenge(NSURLAuthenticationMethodNegotiate, failures: 0),
            .challenge(basicMethod, failures: 1), .response(200), .data(3), .finished,
        ]
        #expect(delegate.transcript == wanted)
        #expect(server.requests.map { $0["Authorization"] } == [nil, nil, rightBasic])
    }
}
