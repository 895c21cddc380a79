import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What GNUstep's tests of NSURLConnection assert of servers that ask who is there.
///
/// Their server takes `login` and `password`, and writes its realm in single quotes.
@Suite("GNUstep, with authentication", .timeLimit(.minutes(1)))
struct GNUstepAuthenticationTests {
    private static let refuse = ScriptStep.respond(
        401,
        ["WWW-Authenticate: Basic realm='TestSuit'"],
        body: "Who is it?"
    )
    private static let told = "Basic bG9naW46cGFzc3dvcmQ="
    private static let asked = TranscriptMessage.challenge(
        NSURLAuthenticationMethodHTTPBasic,
        failures: 0
    )
    private static let noContent = ScriptStep.send("HTTP/1.1 204 No Content\r\n\r\n")

    // test02.m, test03.m (a): GET / is refused, asked about, sent again, and answered by 204
    @Test("A refusal is answered, and the answer has no body", arguments: Site.Scheme.allCases)
    func authorized(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let server = try site.serve([
            .waitForRequest, Self.refuse, .waitForRequest, Self.noContent,
        ])
        let recorder = try await site.load(server.request())
        #expect(recorder.transcript == [Self.asked, .response(204), .finished])
        #expect(recorder.challenges.map(\.protectionSpace.realm) == ["TestSuit"])
        #expect(server.requests.map { $0["Authorization"] } == [nil, Self.told])
    }

    // test02.m, test03.m (b): behind the refusal GET /400 is answered by 400 with a text
    @Test("Behind a refusal a bad request is no failure", arguments: Site.Scheme.allCases)
    func badRequest(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let server = try site.serve([
            .waitForRequest, Self.refuse,
            .waitForRequest, .respond(400, body: "You have it wrong."),
        ])
        let recorder = try await site.load(server.request("/400"))
        #expect(recorder.transcript == [Self.asked, .response(400), .data(18), .finished])
        #expect(recorder.body == Data("You have it wrong.".utf8))
    }

    // test02.m, test03.m (c): POST /400 arrives the second time as it was sent
    @Test("Behind a refusal a body arrives as it is", arguments: Site.Scheme.allCases)
    func post(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let server = try site.serve([
            .waitForRequest, Self.refuse,
            .waitForRequest, .respond(400, body: "You have it wrong."),
        ])
        var request = server.request("/400", method: "POST")
        request.httpBody = Data("A small payload\r\n\0 of two lines".utf8)
        let recorder = try await site.load(request)
        #expect(recorder.transcript == [Self.asked, .response(400), .data(18), .finished])
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.last.map { Data($0.body) } == request.httpBody)
    }

    // test02.m, test03.m (d): the 301 of one server, let in, leads to another one that asks as well
    @Test("A redirect leads to a server that asks as well", arguments: Site.Scheme.allCases)
    func redirect(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let next = try site.serve([
            .waitForRequest, Self.refuse, .waitForRequest, Self.noContent,
        ])
        let first = try site.serve([
            .waitForRequest, Self.refuse, .waitForRequest, .respond(301, ["Location: /proposed"]),
        ])
        let own = next.request("/own")
        let delegate = RedirectingDelegate { _ in own }
        let recorder = try await site.load(first.request("/301"), delegate)
        #expect(recorder.transcript == [Self.asked, Self.asked, .response(204), .finished])
        #expect(delegate.redirects == [.init(status: 301, proposal: first.url("/proposed"))])
        #expect(first.requests.map { $0["Authorization"] } == [nil, Self.told])
        #expect(next.requests.map { $0["Authorization"] } == [nil, Self.told])
    }

    // test06.m: a synchronous load with user and password in the URL is let in without a delegate
    @Test("A synchronous load uses the user and the password of its URL")
    func synchronous() async throws {
        let server = try ScriptedServer([
            .waitForRequest, Self.refuse, .waitForRequest, .respond(200, body: "abc"),
        ])
        let url = try #require(URL(string: "http://login:password@127.0.0.1:\(server.port)/"))
        let (data, status) = try await onThread {
            var response: URLResponse?
            let data = try NSURLConnection.sendSynchronousRequest(
                URLRequest(url: url),
                returning: &response
            )
            return (data, (response as? HTTPURLResponse)?.statusCode)
        }
        #expect(data == Data("abc".utf8))
        #expect(status == 200)
        #expect(server.requests.map { $0["Authorization"] } == [nil, Self.told])
    }
}

extension Site {
    /// Loads on a run loop of a new thread, and keeps no reference to the connection.
    fileprivate func load(
        _ request: URLRequest,
        _ delegate: RedirectingDelegate = RedirectingDelegate()
    ) async throws -> RecordingDelegate {
        try await onThread { [self] in
            _ = NSURLConnection(
                request: request,
                delegate: delegate,
                startImmediately: true,
                loop: loop
            )
            RunLoop.current.run()
        }
        #expect(delegate.recorder.hasEnded)
        try delegate.recorder.check()
        return delegate.recorder
    }
}
