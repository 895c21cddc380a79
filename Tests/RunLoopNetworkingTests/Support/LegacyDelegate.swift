import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// A delegate with the older methods for challenges, which writes down what it is asked.
final class LegacyDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.
    private(set) var lines: [String] = []
    let ended = Gate()
    private let usesStore: Bool
    private let takes: Bool

    init(usesStore: Bool = true, takes: Bool = true) {
        self.usesStore = usesStore
        self.takes = takes
    }

    func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool {
        lines.append("storage")
        return usesStore
    }

    func connection(
        _ connection: NSURLConnection,
        canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
    ) -> Bool {
        lines.append("can \(protectionSpace.authenticationMethod)")
        return takes
    }

    func connection(
        _ connection: NSURLConnection,
        didReceive challenge: URLAuthenticationChallenge
    ) {
        let proposed = challenge.proposedCredential?.user ?? "-"
        lines.append("challenge \(challenge.previousFailureCount) \(proposed)")
        challenge.sender?.use(.right(.forSession), for: challenge)
    }

    func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest? {
        lines.append("willSend")
        return request
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        lines.append("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        lines.append("finished")
        ended.open()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        lines.append("failed")
        ended.open()
    }
}
