import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

/// Apple's order: `willSendRequestFor`, then the older pair, then the default handling.
@Suite("Who is asked about a challenge", .timeLimit(.minutes(1)))
struct WhoIsAskedTests {
    private let answer = ScriptStep.respond(200, body: "abc")

    private func lines(_ delegate: LegacyDelegate, _ script: [ScriptStep]) async throws -> [String]
    {
        let server = try ScriptedServer(script)
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        return delegate.lines
    }

    @Test("A delegate with the older pair is asked whether it can, and then how")
    func pair() async throws {
        let script: [ScriptStep] = [.waitForRequest, .refuse, .waitForRequest, answer]
        let wanted = [
            "storage", "willSend", "can NSURLAuthenticationMethodHTTPBasic", "challenge 0 -",
            "response 200", "finished",
        ]
        // The second time it is known that there is no newer method.
        #expect(try await lines(LegacyDelegate(), script) == wanted)
        #expect(try await lines(LegacyDelegate(), script) == wanted)
    }

    @Test("A delegate that can't is not asked how")
    func cannot() async throws {
        let script: [ScriptStep] = [.waitForRequest, .refuse]
        let wanted = [
            "storage", "willSend", "can NSURLAuthenticationMethodHTTPBasic", "response 401",
            "finished",
        ]
        #expect(try await lines(LegacyDelegate(takes: false), script) == wanted)
    }

    @Test("A delegate that has the newer method is asked by it alone")
    func newer() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let delegate = BothDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(delegate.lines == ["newer"])
    }

    @Test("A delegate without any of them gets the refusal, and so does no delegate")
    func nobody() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .refuse])])
        for _ in 0..<2 {
            let delegate = PlainDelegate()
            let connection = makeConnection(server.request(), delegate)
            connection.setDelegateQueue(OperationQueue())
            connection.start()
            try await delegate.ended.opened()
            #expect(delegate.status == 401)
        }
        let none = makeConnection(server.request(), nil)
        none.setDelegateQueue(OperationQueue())
        none.start()
        try await server.received(requests: 3)
    }

    @Test("What a type of delegates leaves to the defaults is learnt by being asked")
    func learnt() {
        let connection = makeConnection(URLRequest(url: URL(filePath: "/")), nil)
        let space = URLProtectionSpace(
            host: "h",
            port: 1,
            protocol: "http",
            realm: nil,
            authenticationMethod: basicMethod
        )
        let challenge = ChallengeQuestion(space: space).challenge(
            answeredBy: ChallengeSender { _ in }
        )
        let silent = UnheardDelegate()
        let before = ChallengeInterest(of: silent)
        #expect(before.coversStorage && before.covers(basicMethod))
        #expect(before.covers(AuthenticationMethod.serverTrust))
        #expect(
            (silent as any NSURLConnectionDelegate).connectionShouldUseCredentialStorage(connection)
        )
        (silent as any NSURLConnectionDelegate).connection(
            connection,
            willSendRequestFor: challenge
        )
        let after = ChallengeInterest(of: silent)
        #expect(!after.coversStorage && !after.covers(basicMethod))
        #expect(!after.covers(AuthenticationMethod.serverTrust))
        // A delegate with the older pair has to be asked, about TLS as well.
        let legacy = LegacyDelegate()
        (legacy as any NSURLConnectionDelegate).connection(
            connection,
            willSendRequestFor: challenge
        )
        #expect(ChallengeInterest(of: legacy).covers(basicMethod))
        #expect(ChallengeInterest(of: legacy).covers(AuthenticationMethod.serverTrust))
        let none = ChallengeInterest(of: nil)
        #expect(!none.coversStorage && !none.covers(basicMethod))
    }

    @Test("By itself a delegate can answer for everything but TLS")
    func defaultOfCan() {
        let connection = makeConnection(URLRequest(url: URL(filePath: "/")), nil)
        let delegate: any NSURLConnectionDelegate = UnheardDelegate()
        func can(_ method: String) -> Bool {
            let space = URLProtectionSpace(
                host: "h",
                port: 1,
                protocol: "https",
                realm: nil,
                authenticationMethod: method
            )
            return delegate.connection(connection, canAuthenticateAgainstProtectionSpace: space)
        }
        #expect(can(basicMethod) && can(digestMethod) && can(NSURLAuthenticationMethodNTLM))
        #expect(can(NSURLAuthenticationMethodNegotiate) && can(NSURLAuthenticationMethodDefault))
        #expect(!can("NSURLAuthenticationMethodServerTrust"))
        #expect(!can("NSURLAuthenticationMethodClientCertificate"))
    }
}

private final class BothDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.
    private(set) var lines: [String] = []
    let ended = Gate()

    func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
        lines.append("newer")
        challenge.sender?.use(.right(), for: challenge)
    }

    func connection(
        _ connection: NSURLConnection,
        canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
    ) -> Bool {
        lines.append("can")
        return true
    }

    func connection(
        _ connection: NSURLConnection,
        didReceive challenge: URLAuthenticationChallenge
    ) {
        lines.append("older")
        challenge.sender?.cancel(challenge)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        ended.open()
    }
}

private final class PlainDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.
    private(set) var status = 0
    let ended = Gate()

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        status = (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        ended.open()
    }
}

/// A delegate that no connection of any other test has.
private final class UnheardDelegate: NSObject, NSURLConnectionDelegate {}
