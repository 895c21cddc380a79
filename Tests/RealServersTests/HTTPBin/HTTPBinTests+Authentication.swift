import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

extension HTTPBinTests {
    @Suite("Authentication")
    struct Authentication {
        private let bench: HTTPBinBench

        init() throws {
            bench = try HTTPBinBench()
        }

        /// A delegate that answers each challenge.
        private func delegate(
            _ answer:
                @escaping @Sendable (
                    any URLAuthenticationChallengeSender, URLAuthenticationChallenge
                ) -> Void
        ) -> RecordingDelegate {
            RecordingDelegate(onChallenge: { challenge, _ in
                if let sender = challenge.sender { answer(sender, challenge) }
            })
        }

        /// A delegate that answers with the right password, or with a wrong one at first.
        private func using(wrongFirst: Bool = false) -> RecordingDelegate {
            delegate { sender, challenge in
                let isWrong = wrongFirst && challenge.previousFailureCount == 0
                let credential = URLCredential(
                    user: "user",
                    password: isWrong ? "wrong" : "passwd",
                    persistence: .forSession
                )
                sender.use(credential, for: challenge)
            }
        }

        private func load(
            _ path: String,
            _ delegate: RecordingDelegate,
            configure: (inout URLRequest) -> Void = { _ in }
        ) async throws -> RecordingDelegate {
            try await bench.loading.load(
                try bench.server.url(path),
                delegate,
                configure: configure
            )
        }

        private struct Accepted: Decodable, Equatable {
            let authenticated: Bool
            let user: String?
            var token: String?
        }

        private func accepted(_ delegate: RecordingDelegate) throws -> Accepted {
            try JSONDecoder().decode(Accepted.self, from: delegate.body)
        }

        // MARK: - Basic

        @Test("The delegate's credential opens what is closed", arguments: [false, true])
        func basic(wrongFirst: Bool) async throws {
            let delegate = try await load("basic-auth/user/passwd", using(wrongFirst: wrongFirst))
            let count = delegate.body.count
            let challenges = (0...(wrongFirst ? 1 : 0)).map {
                TranscriptMessage.challenge(NSURLAuthenticationMethodHTTPBasic, failures: $0)
            }
            #expect(delegate.transcript == challenges + [.response(200), .data(count), .finished])
            #expect(try accepted(delegate) == Accepted(authenticated: true, user: "user"))
            let space = try #require(delegate.challenges.first).protectionSpace
            #expect(space.realm == "Fake Realm")
            #expect(space.host == "127.0.0.1")
        }

        @Test("Without a delegate that answers, the refusal is the answer")
        func unanswered() async throws {
            let delegate = try await bench.load("basic-auth/user/passwd")
            #expect(delegate.transcript == [.response(401), .finished])
        }

        @Test("Continued without a credential, the refusal is told; cancelled, the load fails")
        func refused() async throws {
            let challenge = TranscriptMessage.challenge(
                NSURLAuthenticationMethodHTTPBasic,
                failures: 0
            )
            let path = "basic-auth/user/passwd"
            let continued = try await load(path, delegate { $0.continueWithoutCredential(for: $1) })
            #expect(continued.transcript == [challenge, .response(401), .finished])
            let cancelled = try await load(path, delegate { $0.cancel($1) })
            #expect(cancelled.transcript == [challenge, .failed(.userCancelledAuthentication)])
        }

        @Test("User and password of the URL are used, unescaped")
        func url() async throws {
            let url = try bench.server.url(
                "basic-auth/a%40b/c%20%3A",
                host: "a%40b:c%20:@127.0.0.1"
            )
            let delegate = try await bench.loading.load(url)
            #expect(try accepted(delegate) == Accepted(authenticated: true, user: "a@b"))
        }

        @Test("What a delegate has answered for the session is used again without it")
        func stored() async throws {
            let path = "basic-auth/user/passwd"
            _ = try await load(path, using())
            let later = try await bench.load(path)
            #expect(later.response?.statusCode == 200)
        }

        @Test("A place that does not ask opens to the caller's own field, and to nobody else")
        func hidden() async throws {
            let path = "hidden-basic-auth/user/passwd"
            let closed = try await load(path, using())
            #expect(closed.transcript == [.response(404), .finished])
            let open = try await load(path, using()) {
                let field = "Basic \(Data("user:passwd".utf8).base64EncodedString())"
                $0.setValue(field, forHTTPHeaderField: "Authorization")
            }
            #expect(try accepted(open) == Accepted(authenticated: true, user: "user"))
        }

        // MARK: - Bearer

        @Test("A method that nobody here knows is no challenge, and the caller's field is sent")
        func bearer() async throws {
            let closed = try await load("bearer", using())
            #expect(closed.transcript == [.response(401), .finished])
            let open = try await load("bearer", using()) {
                $0.setValue("Bearer 0123", forHTTPHeaderField: "Authorization")
            }
            #expect(
                try accepted(open) == Accepted(authenticated: true, user: nil, token: "0123")
            )
        }

        // MARK: - Digest

        @Test(
            "Digest opens with each hash, in its newer form and its older one",
            arguments: ["auth", "none"],
            ["MD5", "SHA-256"]
        )
        func digest(protection: String, hash: String) async throws {
            let delegate = try await load("digest-auth/\(protection)/user/passwd/\(hash)", using())
            let challenge = TranscriptMessage.challenge(
                NSURLAuthenticationMethodHTTPDigest,
                failures: 0
            )
            let count = delegate.body.count
            #expect(
                delegate.transcript == [challenge, .response(200), .data(count), .finished]
            )
            #expect(try accepted(delegate) == Accepted(authenticated: true, user: "user"))
        }

        @Test("Digest that protects bodies as well is no challenge, and the refusal is told")
        func digestOfBodies() async throws {
            let delegate = try await load("digest-auth/auth-int/user/passwd", using())
            #expect(delegate.transcript == [.response(401), .finished])
        }

        @Test("Cookies that come with a challenge are sent with its answer")
        func digestWithCookie() async throws {
            let delegate = try await load("digest-auth/auth/user/passwd/MD5/5", using())
            #expect(try accepted(delegate) == Accepted(authenticated: true, user: "user"))
            // The challenge sets a 5, and the server counts down what it gets back.
            let cookies = bench.loading.cookies.cookies
            #expect(cookies.first { $0.name == "stale_after" }?.value == "4")
        }

        @Test("A wrong password for Digest is asked for again, and the right one opens")
        func digestWrongFirst() async throws {
            let delegate = try await load("digest-auth/auth/user/passwd", using(wrongFirst: true))
            #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
            #expect(try accepted(delegate) == Accepted(authenticated: true, user: "user"))
        }
    }
}
