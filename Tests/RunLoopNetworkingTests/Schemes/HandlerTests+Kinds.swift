import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Answers with its own name.
class NamedHandler: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        request.url?.scheme == "order-of-handlers"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let response = URLResponse(
            url: url,
            mimeType: nil,
            expectedContentLength: -1,
            textEncodingName: nil
        )
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("\(type(of: self))".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

final class FirstHandler: NamedHandler {}

final class SecondHandler: NamedHandler {}

/// Has the handler answer with the name of the user.
final class HandlersSender: NSObject, URLAuthenticationChallengeSender {
    private let handler: StubHandler

    init(_ handler: StubHandler) {
        self.handler = handler
    }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        handler.respond(200)
        handler.send(credential.user ?? "")
        handler.finish()
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}

    func cancel(_ challenge: URLAuthenticationChallenge) {}

    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
        handler.fail(URLError(.userAuthenticationRequired))
    }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

/// Answers each challenge with a user, and keeps the body.
final class CredentialDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.
    private(set) var body = Data()
    let ended = Gate()

    func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
        let credential = URLCredential(user: "me", password: "p", persistence: .none)
        challenge.sender?.use(credential, for: challenge)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        body.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        ended.open()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        ended.open()
    }
}
