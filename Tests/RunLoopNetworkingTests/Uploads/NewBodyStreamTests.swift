import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Body streams that are sent once more", .timeLimit(.minutes(1)))
struct NewBodyStreamTests {
    private static let sentence = "return one from connection(_:needNewBodyStream:)"

    private func server(_ status: Int) throws -> ScriptedServer {
        try ScriptedServer([
            .waitForRequest, .respond(status, ["Location: /next"], body: "moved"),
            .waitForRequest, .respond(200, body: "abc"),
        ])
    }

    private func post(_ server: ScriptedServer, length: Int? = nil) -> URLRequest {
        var request = server.request("/f", method: "POST")
        request.httpBodyStream = InputStream(data: Data("hello".utf8))
        if let length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
        return request
    }

    @Test(
        "A redirect that keeps the body asks for a new stream, and sends that",
        arguments: [(307, nil), (308, nil), (307, 5), (308, 5)] as [(Int, Int?)]
    )
    func redirect(status: Int, length: Int?) async throws {
        let server = try server(status)
        let asked = Guarded<[URL?]>([])
        let delegate = RecordingDelegate(
            keepsSentBody: true,
            newBodyStream: { request in
                asked.withLock { $0.append(request.url) }
                return InputStream(data: Data("again".utf8))
            }
        )
        try await load(post(server, length: length), delegate)
        #expect(
            delegate.transcript == [
                .sentBody(5), .needNewBodyStream, .sentBody(5), .response(200), .data(3), .finished,
            ]
        )
        #expect(asked.withLock { $0 } == [server.url("/next")])
        #expect(server.requests.map(\.bodyText) == ["hello", "again"])
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.last?["Content-Length"] == length.map { "\($0)" })
    }

    @Test("Without a new stream the load fails, and no second request goes out")
    func noStream() async throws {
        let server = try server(307)
        let delegate = try await load(post(server))
        #expect(delegate.transcript == [.needNewBodyStream, .failed(.requestBodyStreamExhausted)])
        #expect(delegate.error?.localizedDescription.contains(Self.sentence) == true)
        #expect(delegate.urlError?.failingURL == server.url("/next"))
        #expect(server.requests.count == 1)
    }

    @Test("A delegate without the method fails in the same way")
    func noMethod() async throws {
        let server = try server(307)
        let delegate = AnsweringDelegate()
        let connection = makeConnection(post(server), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(delegate.lines.count == 3)
        #expect(delegate.lines.last == "failed -1021")
        #expect(delegate.error?.localizedDescription.contains(Self.sentence) == true)
        #expect(server.requests.count == 1)
    }

    @Test("The stream that was sent is no new one")
    func sameStream() async throws {
        let server = try server(308)
        let request = post(server)
        let delegate = RecordingDelegate(newBodyStream: { $0.httpBodyStream })
        try await load(request, delegate)
        #expect(delegate.transcript == [.needNewBodyStream, .failed(.requestBodyStreamExhausted)])
    }

    @Test("A new stream in the answer to a redirect is sent without a question")
    func inRedirect() async throws {
        let server = try server(307)
        let delegate = AnsweringDelegate { request, response, _ in
            guard response != nil else { return request }
            var next = request
            next.httpBodyStream = InputStream(data: Data("mine".utf8))
            return next
        }
        let connection = makeConnection(post(server), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(delegate.lines.suffix(3) == ["response 200", "data", "finished"])
        #expect(server.requests.map(\.bodyText) == ["hello", "mine"])
    }

    @Test("A server that asks who is there gets the body once more, from a new stream")
    func credentials() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(401, ["WWW-Authenticate: Basic realm=\"r\""]),
            .waitForRequest, .respond(200, body: "abc"),
        ])
        let test = TestLoop()
        let delegate = RecordingDelegate(
            keepsSentBody: true,
            onChallenge: { challenge, _ in
                let credential = URLCredential(user: "u", password: "p", persistence: .none)
                challenge.sender?.use(credential, for: challenge)
            },
            newBodyStream: { _ in InputStream(data: Data("again".utf8)) }
        )
        try await load(post(server), delegate, loop: test.loop)
        #expect(
            delegate.transcript == [
                .sentBody(5), .challenge(NSURLAuthenticationMethodHTTPBasic, failures: 0),
                .needNewBodyStream, .sentBody(5), .response(200), .data(3), .finished,
            ]
        )
        #expect(server.requests.map(\.bodyText) == ["hello", "again"])
        #expect(server.requests.last?["Authorization"] == "Basic dTpw")
    }

    @Test("A redirect that drops the body asks nothing", arguments: [301, 302, 303])
    func dropped(status: Int) async throws {
        let server = try server(status)
        let delegate = RecordingDelegate(keepsSentBody: true)
        try await load(post(server, length: 5), delegate)
        #expect(delegate.transcript == [.sentBody(5), .response(200), .data(3), .finished])
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        #expect(server.requests.last?["Content-Length"] == nil)
    }

    @Test("Cancelled while it is asked, nothing more goes out")
    func cancelled() async throws {
        let server = try server(307)
        let asked = Gate()
        let holder = Guarded<NSURLConnection?>(nil)
        let delegate = RecordingDelegate(newBodyStream: { _ in
            holder.withLock { $0 }?.cancel()
            asked.open()
            return InputStream(data: Data("again".utf8))
        })
        let connection = makeConnection(post(server), delegate)
        holder.withLock { $0 = connection }
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await asked.opened()
        // The loop has taken the cancel up by then.
        let other = try ScriptedServer([.waitForRequest, .respond(200)])
        try await load(other.request())
        #expect(delegate.transcript == [.needNewBodyStream])
        #expect(server.requests.count == 1)
        holder.withLock { $0 = nil }
    }

    @Test("Where a kept network connection has died, a new stream goes out on another")
    func deadConnection() async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .respond(200), .waitForHead, .take(2), .finish],
            [.waitForRequest, .respond(200, body: "abc")]
        )
        let test = TestLoop()
        try await load(server.request(), loop: test.loop)
        let delegate = RecordingDelegate(newBodyStream: { _ in
            InputStream(data: Data("again".utf8))
        })
        try await load(post(server, length: 5), delegate, loop: test.loop)
        #expect(
            delegate.transcript == [.needNewBodyStream, .response(200), .data(3), .finished]
        )
        #expect(server.requests.last?.bodyText == "again")
    }

    @Test("Data that a dead network connection has swallowed a part of is sent again, unasked")
    func deadConnectionWithData() async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .respond(200), .waitForHead, .take(65_536), .reset],
            [.waitForRequest, .respond(200, body: "abc")]
        )
        let test = TestLoop()
        try await load(server.request(), loop: test.loop)
        var request = server.request("/f", method: "POST")
        request.httpBody = Data(CounterPattern.bytes(count: 16 << 20))
        let delegate = try await load(request, loop: test.loop)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(server.requests.last?.body.count == 16 << 20)
        #expect(server.connectionCount == 2)
    }

    @Test("A body that dies on a new network connection is not sent twice")
    func deadNewConnection() async throws {
        let server = try ScriptedServer([.waitForHead, .take(2), .finish])
        let delegate = RecordingDelegate(newBodyStream: { _ in
            InputStream(data: Data("again".utf8))
        })
        let test = TestLoop()
        try await load(post(server, length: 5), delegate, loop: test.loop)
        #expect(delegate.transcript == [.failed(.networkConnectionLost)])
        #expect(server.requests.count == 1)
    }
}
