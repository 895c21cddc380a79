import Foundation
import FoundationNetworking
import NetworkingTestKit

extension URLCredential {
    /// What the servers of the tests take: `login` and `password`.
    static func right(_ persistence: Persistence = .none) -> URLCredential {
        URLCredential(user: "login", password: "password", persistence: persistence)
    }

    /// What they don't take.
    static func wrong(_ persistence: Persistence = .none) -> URLCredential {
        URLCredential(user: "login", password: "wrong", persistence: persistence)
    }
}

extension ScriptStep {
    /// A 401 that offers Basic, with a body.
    static let refuse = ScriptStep.respond(
        401,
        [#"WWW-Authenticate: Basic realm="r""#],
        body: "denied"
    )
}

/// What `Authorization` says for `login` and `password` by Basic.
let rightBasic = "Basic bG9naW46cGFzc3dvcmQ="

/// Methods in short, for transcripts.
let basicMethod = NSURLAuthenticationMethodHTTPBasic
let digestMethod = NSURLAuthenticationMethodHTTPDigest

extension RecordingDelegate {
    /// A delegate that answers every challenge with the same credential.
    static func using(_ credential: URLCredential) -> RecordingDelegate {
        RecordingDelegate(onChallenge: { challenge, _ in
            challenge.sender?.use(credential, for: challenge)
        })
    }

    /// A delegate that answers by the number of failures before.
    static func answering(
        _ answer:
            @escaping @Sendable (
                any URLAuthenticationChallengeSender, URLAuthenticationChallenge
            ) -> Void
    ) -> RecordingDelegate {
        RecordingDelegate(onChallenge: { challenge, _ in
            if let sender = challenge.sender { answer(sender, challenge) }
        })
    }
}
