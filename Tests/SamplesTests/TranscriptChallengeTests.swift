import NetworkingTestKit
import Testing

@Suite("transcript and challenges", .timeLimit(.minutes(1)))
struct TranscriptChallengeTests {
    private let refuse = ScriptStep.respond(
        401,
        [#"WWW-Authenticate: Basic realm="r""#],
        body: "denied"
    )

    /// The lines of challenges and responses, without their fields that are the same each time.
    private func messages(_ options: [String], _ server: ScriptedServer) async throws -> [String] {
        let program = try await Program("transcript", options + ["\(server.url("/f"))"])
        return program.lines.compactMap { line in
            if let match = line.firstMatch(of: /"message":"response".*?"status":([0-9]+)/) {
                return "response \(match.output.1)"
            }
            guard line.contains(#""message":"challenge""#) else { return nil }
            return line.replacing(/^.*"connection":0,/, with: "")
        }
    }

    private func line(_ server: ScriptedServer, failures: Int, answer: String) -> String {
        #""method":"NSURLAuthenticationMethodHTTPBasic","host":"127.0.0.1","port":\#(server.port),"#
            + #""realm":"r","failures":\#(failures),"answer":"\#(answer)"}"#
    }

    @Test("--user answers a server that asks")
    func user() async throws {
        let server = try ScriptedServer([
            .waitForRequest, refuse, .waitForRequest, .respond(200, body: "ok"),
        ])
        let messages = try await messages(["--user", "login:pass:word"], server)
        #expect(messages == [line(server, failures: 0, answer: "use"), "response 200"])
        #expect(server.requests.map { $0["Authorization"] } == [nil, "Basic bG9naW46cGFzczp3b3Jk"])
    }

    @Test("A refused user is not tried again: the refusal is the answer")
    func wrong() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, refuse])])
        let messages = try await messages(["--user=login:wrong"], server)
        #expect(
            messages == [
                line(server, failures: 0, answer: "use"),
                line(server, failures: 1, answer: "continue"),
                "response 401",
            ]
        )
        #expect(server.requests.count == 2)
    }

    @Test("Without --user a challenge gets the default handling")
    func nobody() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, refuse])])
        let messages = try await messages([], server)
        #expect(messages == [line(server, failures: 0, answer: "default"), "response 401"])
    }

    @Test("--accept-untrusted accepts what is shown, and says what is wrong with it")
    func untrusted() async throws {
        let identity = try TLSIdentity.selfSigned()
        let server = try ScriptedServer([.waitForRequest, .respond(body: "ok")], tls: identity)
        let messages = try await messages(["--accept-untrusted"], server)
        let fault = "The certificate of 127.0.0.1 is signed by nobody but itself."
        #expect(messages.count == 2)
        let first = try #require(messages.first)
        let fields =
            #""method":"NSURLAuthenticationMethodServerTrust","host":"127.0.0.1","#
            + #""port":\#(server.port),"realm":null,"failures":0,"answer":"use","fingerprint":""#
        #expect(first.hasPrefix(fields))
        #expect(first.contains("\"fault\":\"\(fault)"))
        #expect(messages.last == "response 200")
    }

    @Test("Without it an unknown certificate fails, and --cacert makes it known")
    func authority() async throws {
        let authority = try TLSAuthority()
        let server = try ScriptedServer(
            [.waitForRequest, .respond(body: "ok")],
            tls: authority.identity()
        )
        #expect(try await messages([], server).isEmpty)
        #expect(server.requests.isEmpty)
        let options = ["--cacert", authority.certificateFile]
        #expect(try await messages(options, server) == ["response 200"])
    }
}
