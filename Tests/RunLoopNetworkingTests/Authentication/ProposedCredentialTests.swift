import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Credentials of a URL and of the store, and whether they may be used.
@Suite("Proposed credentials", .timeLimit(.minutes(1)))
struct ProposedCredentialTests {
    private let answer = ScriptStep.respond(200, body: "abc")
    private let store = CredentialStore()
    private let loop = TestLoop()

    init() {
        loop.loop.connectionSettings.credentialStore = store
    }

    private func space(_ server: ScriptedServer) -> URLProtectionSpace {
        URLProtectionSpace(
            host: "127.0.0.1",
            port: server.port,
            protocol: "http",
            realm: "r",
            authenticationMethod: basicMethod
        )
    }

    private func url(_ user: String, _ server: ScriptedServer, _ path: String = "/") throws -> URL {
        try #require(URL(string: "http://\(user)@127.0.0.1:\(server.port)\(path)"))
    }

    // MARK: - From the URL

    @Test("A user and a password in the URL are used once, and are not part of what is sent")
    func inURL() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let request = URLRequest(url: try url("login:password", server, "/f?x"))
        let delegate = RecordingDelegate()
        let connection = makeConnection(request, delegate, loop: loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        // Nothing is told to a server that has not asked.
        #expect(server.requests.map { $0["Authorization"] } == [nil, rightBasic])
        #expect(server.requests.map(\.target) == ["/f?x", "/f?x"])
        #expect(
            server.requests.map { $0["Host"] }
                == Array(repeating: "127.0.0.1:\(server.port)", count: 2)
        )
        #expect(delegate.response?.url == server.url("/f?x"))
        #expect(connection.currentRequest.url == server.url("/f?x"))
        #expect(connection.originalRequest.url == request.url)
    }

    @Test("What is percent-encoded in the URL is decoded")
    func encoded() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let request = URLRequest(url: try url("us%40er:p%3Aw%C3%A9", server))
        try await load(request, loop: loop.loop)
        let expected = "Basic " + Data("us@er:p:wé".utf8).base64EncodedString()
        #expect(server.requests.last?["Authorization"] == expected)
    }

    @Test("A refused password of the URL is not tried again, and is not told in the error")
    func wrongInURL() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .refuse])])
        let request = URLRequest(url: try url("login:wrong", server))
        let delegate = try await load(request, loop: loop.loop)
        #expect(delegate.transcript == [.response(401), .data(6), .finished])
        #expect(server.requests.count == 2)
        let gone = try ScriptedServer([])
        gone.stop()
        let failed = try await load(URLRequest(url: try url("a:secret", gone)), loop: loop.loop)
        #expect(failed.urlError?.failingURL == gone.url())
        let told = "\(failed.urlError?.errorUserInfo ?? [:])"
        #expect(!told.contains("secret"))
    }

    @Test("A delegate is shown the credential of the URL, and may use it")
    func proposedFromURL() async throws {
        let server = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let delegate = RecordingDelegate.answering { sender, challenge in
            if let proposed = challenge.proposedCredential { sender.use(proposed, for: challenge) }
        }
        try await load(
            URLRequest(url: try url("login:password", server)),
            delegate,
            loop: loop.loop
        )
        #expect(delegate.transcript.last == .finished)
        #expect(delegate.challenges.first?.proposedCredential?.user == "login")
        #expect(server.requests.last?["Authorization"] == rightBasic)
    }

    @Test("A relative redirect keeps the credential of the URL, and sends it when it is asked for")
    func sameOrigin() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .refuse, .waitForRequest, .respond(302, ["Location: /next"]),
            .waitForRequest, .refuse, .waitForRequest, answer,
        ])
        let request = URLRequest(url: try url("login:password", server))
        let delegate = try await load(request, loop: loop.loop)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        let sent = server.requests.map { $0["Authorization"] }
        #expect(sent == [nil, rightBasic, nil, rightBasic])
        #expect(delegate.response?.url == server.url("/next"))
    }

    @Test("A redirect to another origin takes no credential along")
    func otherOrigin() async throws {
        let second = try ScriptedServer([.forever([.waitForRequest, .refuse])])
        let first = try ScriptedServer([
            .waitForRequest, .refuse,
            .waitForRequest, .respond(302, ["Location: \(second.url("/steal"))"]),
        ])
        let request = URLRequest(url: try url("login:password", first))
        let delegate = try await load(request, loop: loop.loop)
        #expect(delegate.transcript == [.response(401), .data(6), .finished])
        #expect(second.requests.map { $0["Authorization"] } == [nil])
    }

    @Test("A redirect to a URL with a user and a password uses those, there")
    func inLocation() async throws {
        let second = try ScriptedServer([.waitForRequest, .refuse, .waitForRequest, answer])
        let location = "http://login:password@127.0.0.1:\(second.port)/b"
        let first = try ScriptedServer([.waitForRequest, .respond(302, ["Location: \(location)"])])
        let delegate = try await load(first.request(), loop: loop.loop)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(second.requests.map { $0["Authorization"] } == [nil, rightBasic])
        #expect(delegate.response?.url == second.url("/b"))
    }

    // MARK: - The store

    @Test("A stored credential is used by itself, and proposed to a delegate")
    func stored() async throws {
        let server = try ScriptedServer([
            .again(times: 2, [.waitForRequest, .refuse, .waitForRequest, answer])
        ])
        store.setDefaultCredential(.right(.forSession), for: space(server))
        let silent = try await load(server.request(), loop: loop.loop)
        #expect(silent.transcript == [.response(200), .data(3), .finished])
        let delegate = RecordingDelegate.answering { $0.performDefaultHandling(for: $1) }
        try await load(server.request(), delegate, loop: loop.loop)
        #expect(delegate.challenges.map { $0.proposedCredential?.user } == ["login"])
        #expect(delegate.transcript.last == .finished)
        #expect(server.requests.last?["Authorization"] == rightBasic)
    }

    @Test("An answer is kept as its persistence says, once the server has taken it")
    func kept() async throws {
        let server = try ScriptedServer([
            .again(times: 2, [.waitForRequest, .refuse, .waitForRequest, answer])
        ])
        try await load(server.request(), .using(.right(.none)), loop: loop.loop)
        #expect(store.defaultCredential(for: space(server)) == nil)
        try await load(server.request(), .using(.right(.permanent)), loop: loop.loop)
        #expect(store.defaultCredential(for: space(server))?.password == "password")
    }

    @Test("An answer that the server refuses is not kept")
    func notKept() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .refuse])])
        let delegate = RecordingDelegate.answering { sender, challenge in
            if challenge.previousFailureCount == 0 {
                sender.use(.wrong(.forSession), for: challenge)
            } else {
                sender.continueWithoutCredential(for: challenge)
            }
        }
        try await load(server.request(), delegate, loop: loop.loop)
        #expect(delegate.transcript.last == .finished)
        #expect(store.defaultCredential(for: space(server)) == nil)
    }

    @Test("Without a store nothing is proposed")
    func noStore() async throws {
        loop.loop.connectionSettings.credentialStore = nil
        let server = try ScriptedServer([.waitForRequest, .refuse])
        let delegate = RecordingDelegate.answering { $0.performDefaultHandling(for: $1) }
        try await load(server.request(), delegate, loop: loop.loop)
        #expect(delegate.challenges.first?.proposedCredential == nil)
        #expect(delegate.transcript.suffix(3) == [.response(401), .data(6), .finished])
    }

    @Test("A delegate that refuses the store is asked once, before anything is sent")
    func refusedStore() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .refuse, .waitForRequest, .respond(302, ["Location: /b"]),
            .waitForRequest, answer,
        ])
        store.setDefaultCredential(.wrong(.forSession), for: space(server))
        let delegate = LegacyDelegate(usesStore: false)
        let connection = makeConnection(server.request(), delegate, loop: loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        let wanted = [
            "storage", "willSend", "can NSURLAuthenticationMethodHTTPBasic", "challenge 0 -",
            "willSend", "response 200", "finished",
        ]
        #expect(delegate.lines == wanted)
        // Neither read nor written.
        #expect(store.defaultCredential(for: space(server))?.password == "wrong")
    }
}
