import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// A delegate that says what to send at a redirect; the rest goes to a recording one.
final class RedirectingDelegate: NSObject, NSURLConnectionDataDelegate, Sendable {
    /// A redirect as it was asked about.
    struct Redirect: Equatable {
        let status: Int
        let proposal: URL?
    }

    let recorder = RecordingDelegate(onChallenge: { challenge, _ in
        // As GNUstep's delegate does: the first time what is right, and no second time.
        if challenge.previousFailureCount == 0 {
            let credential = URLCredential(
                user: "login",
                password: "password",
                persistence: .none
            )
            challenge.sender?.use(credential, for: challenge)
        } else {
            challenge.sender?.cancel(challenge)
        }
    })

    private let asked = Guarded<[Redirect]>([])
    private let answer: @Sendable (URLRequest) -> URLRequest?

    /// Makes a delegate that answers a redirect's proposal.
    init(_ answer: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }) {
        self.answer = answer
    }

    var redirects: [Redirect] { asked.withLock(\.self) }

    func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest? {
        // The first request is not a redirect, and goes out as it is.
        guard let response = response as? HTTPURLResponse else { return request }
        asked.withLock { $0.append(Redirect(status: response.statusCode, proposal: request.url)) }
        return answer(request)
    }

    func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
        // Certificates are the loop's affair.
        let method = challenge.protectionSpace.authenticationMethod
        guard method == NSURLAuthenticationMethodHTTPBasic else {
            challenge.sender?.performDefaultHandling(for: challenge)
            return
        }
        recorder.connection(connection, willSendRequestFor: challenge)
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        recorder.connection(connection, didReceive: response)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        recorder.connection(connection, didReceive: data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        recorder.connectionDidFinishLoading(connection)
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        recorder.connection(connection, didFailWithError: error)
    }
}
