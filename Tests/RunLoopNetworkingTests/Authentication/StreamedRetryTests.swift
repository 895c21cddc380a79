import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("A body stream behind a challenge", .timeLimit(.minutes(1)))
struct StreamedRetryTests {
    private func load(_ script: [ScriptStep], _ delegate: StreamingDelegate) async throws
        -> ScriptedServer
    {
        let server = try ScriptedServer(script)
        var request = server.request("/f", method: "POST")
        request.httpBodyStream = InputStream(data: Data("stream".utf8))
        let connection = makeConnection(request, delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        return server
    }

    @Test("The delegate gives another stream, which is sent with the credential")
    func basic() async throws {
        let delegate = StreamingDelegate(password: "password")
        let server = try await load(
            [.waitForRequest, .refuse, .waitForRequest, .respond(200, body: "abc")],
            delegate
        )
        #expect(delegate.lines == ["challenge 0", "stream", "response 200", "finished"])
        #expect(server.requests.map(\.bodyText) == ["stream", "stream"])
        #expect(server.requests.map { $0["Authorization"] } == [nil, rightBasic])
    }

    @Test(
        "A wrong password for Digest is asked for again, though libcurl can't send the body again"
    )
    func digest() async throws {
        let refusal = ScriptStep.respond(
            401,
            [#"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#],
            body: "denied"
        )
        let delegate = StreamingDelegate(password: "wrong")
        let server = try await load([.forever([.waitForRequest, refusal])], delegate)
        #expect(
            delegate.lines == [
                "challenge 0", "stream", "challenge 1", "response 401", "finished",
            ]
        )
        #expect(server.requests.map(\.bodyText) == ["stream", "stream"])
    }
}

/// A delegate that answers the first challenge, and has a stream for each time that it is asked.
private final class StreamingDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.
    private(set) var lines: [String] = []
    let ended = Gate()
    private let password: String

    init(password: String) {
        self.password = password
    }

    func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
        lines.append("challenge \(challenge.previousFailureCount)")
        if challenge.previousFailureCount == 0 {
            let credential = URLCredential(user: "login", password: password, persistence: .none)
            challenge.sender?.use(credential, for: challenge)
        } else {
            challenge.sender?.continueWithoutCredential(for: challenge)
        }
    }

    func connection(
        _ connection: NSURLConnection,
        needNewBodyStream request: URLRequest
    ) -> InputStream? {
        lines.append("stream")
        return InputStream(data: Data("stream".utf8))
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        lines.append("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        lines.append("finished")
        ended.open()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        lines.append("failed \((error as? URLError)?.code.rawValue ?? 0)")
        ended.open()
    }
}
