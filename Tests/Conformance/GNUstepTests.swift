import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What GNUstep's tests of NSURLConnection assert, in words of our own.
///
/// The delegate is called on a run loop, as there. See README.md for what is left out.
@Suite("GNUstep", .timeLimit(.minutes(1)))
struct GNUstepTests {
    /// Loads on a run loop of a new thread, and keeps no reference to the connection.
    private func load(
        _ request: URLRequest,
        _ delegate: RedirectingDelegate = RedirectingDelegate(),
        on site: Site
    ) async throws -> RecordingDelegate {
        let thread = try await onThread {
            _ = NSURLConnection(
                request: request,
                delegate: delegate,
                startImmediately: true,
                loop: site.loop
            )
            // Returns when the connection has ended: nothing else is attached.
            RunLoop.current.run()
            return ThreadNumber.current
        }
        #expect(delegate.recorder.hasEnded)
        #expect(delegate.recorder.faults.isEmpty)
        #expect(delegate.recorder.messages.allSatisfy { $0.thread == thread })
        return delegate.recorder
    }

    // MARK: - basic.m

    // basic.m: canHandleRequest, for GET and for the method WRONGMETHOD
    @Test("Any method can be handled", arguments: ["GET", "WRONGMETHOD"])
    func canHandle(method: String) throws {
        var request = URLRequest(url: try #require(URL(string: "http://www.example.test/")))
        request.httpMethod = method
        #expect(NSURLConnection.canHandle(request))
    }

    // basic.m: connectionWithRequest:delegate: with no delegate returns an object
    @Test("A connection is made without a delegate")
    func noDelegate() async throws {
        let site = try Site(.http)
        let server = try site.serve([.waitForRequest, .respond(204)])
        let request = server.request()
        let isMade = try await onThread {
            let connection = NSURLConnection(
                request: request,
                delegate: nil,
                startImmediately: true,
                loop: site.loop
            )
            RunLoop.current.run()
            return connection != nil
        }
        #expect(isMade)
        #expect(server.requests.count == 1)
    }

    // basic.m: a synchronous load over http gives data, and a response with a status
    @Test("A synchronous load returns the data and sets the response")
    func synchronous() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let request = server.request()
        let (data, status) = try await onThread {
            var response: URLResponse?
            let data = try NSURLConnection.sendSynchronousRequest(
                request,
                returning: &response
            )
            return (data, (response as? HTTPURLResponse)?.statusCode)
        }
        #expect(data == Data("abc".utf8))
        #expect(status == 200)
    }

    // basic.m: a synchronous load of a file: URL gives data
    @Test("A synchronous load of a file returns the data")
    func synchronousFile() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("synchronous-\(UUID().uuidString)")
        try Data("abc".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let data = try await onThread {
            try NSURLConnection.sendSynchronousRequest(URLRequest(url: file), returning: nil)
        }
        #expect(data == Data("abc".utf8))
    }

    // basic.m: a synchronous load over https has no error, and data
    @Test("A synchronous load over TLS returns the data")
    func synchronousTLS() async throws {
        // In a process of its own: such loads take place on the shared loop, whose settings all share.
        await #expect(processExitsWith: .success) {
            let authority = try TLSAuthority()
            EventLoop.shared.connectionSettings.certificateAuthorityFile = authority.certificateFile
            let server = try ScriptedServer(
                [.waitForRequest, .respond(200, body: "abc")],
                tls: authority.identity()
            )
            let data = try NSURLConnection.sendSynchronousRequest(
                server.request(),
                returning: nil
            )
            precondition(data == Data("abc".utf8))
        }
    }

    // MARK: - test01.m

    // test01.m: http and https to a port that nobody listens on; the connection is not kept
    @Test("A port that nobody listens on fails with an error", arguments: Site.Scheme.allCases)
    func closedPort(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let server = try site.serve([])
        server.stop()
        let delegate = try await load(server.request(), on: site)
        #expect(delegate.transcript == [.failed(.cannotConnectToHost)])
        #expect(delegate.error != nil)
    }

    // MARK: - test04.m and test05.m

    // test04.m, test05.m (a): GET / is answered by 204 without a body
    @Test("An answer without a body finishes", arguments: Site.Scheme.allCases)
    func noContent(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let server = try site.serve([
            .waitForRequest, .send("HTTP/1.1 204 No Content\r\n\r\n"),
        ])
        let delegate = try await load(server.request(), on: site)
        #expect(delegate.transcript == [.response(204), .finished])
        #expect(server.requests.map(\.method) == ["GET"])
        #expect(server.requests.first?["Authorization"] == nil)
    }

    // test04.m, test05.m (b): GET /400 is answered by 400 with a text, and is no failure
    @Test("A bad request is answered by a body like any other", arguments: Site.Scheme.allCases)
    func badRequest(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let server = try site.serve([.waitForRequest, .respond(400, body: "You have it wrong.")])
        let delegate = try await load(server.request("/400"), on: site)
        #expect(delegate.transcript == [.response(400), .data(18), .finished])
        #expect(delegate.body == Data("You have it wrong.".utf8))
        #expect(server.requests.map(\.target) == ["/400"])
    }

    // test04.m, test05.m (c): POST /400 arrives as it was sent, and is answered by 400 with a text
    @Test("A body that is sent arrives as it is", arguments: Site.Scheme.allCases)
    func post(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let server = try site.serve([.waitForRequest, .respond(400, body: "You have it wrong.")])
        var request = server.request("/400", method: "POST")
        request.httpBody = Data("A small payload\r\n\0 of two lines".utf8)
        let delegate = try await load(request, on: site)
        #expect(delegate.transcript == [.response(400), .data(18), .finished])
        let received = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(received.method == "POST")
        #expect(received.body == Array("A small payload\r\n\0 of two lines".utf8))
    }

    // test04.m, test05.m (d): the 301 of one server is told, and the delegate sends a request of
    // its own to another one, which answers 204
    @Test(
        "A redirect is told, and the delegate's own request follows",
        arguments: Site.Scheme.allCases
    )
    func redirect(scheme: Site.Scheme) async throws {
        let site = try Site(scheme)
        let next = try site.serve([.waitForRequest, .send("HTTP/1.1 204 No Content\r\n\r\n")])
        let first = try site.serve([
            .waitForRequest, .respond(301, ["Location: /proposed"]),
        ])
        let own = next.request("/own", fields: ["X-Mine": "1"])
        let delegate = RedirectingDelegate { _ in own }
        let recorder = try await load(first.request("/301"), delegate, on: site)
        #expect(recorder.transcript == [.response(204), .finished])
        #expect(delegate.redirects == [.init(status: 301, proposal: first.url("/proposed"))])
        #expect(first.requests.map(\.target) == ["/301"])
        #expect(next.requests.map(\.target) == ["/own"])
        #expect(next.requests.first?["X-Mine"] == "1")
        #expect(recorder.response?.url == own.url)
    }

    // MARK: - test07.m

    // test07.m: an https POST of about 100 kB, answered by 400 with a text
    @Test("A large body arrives whole over TLS")
    func largePost() async throws {
        let site = try Site(.https)
        let server = try site.serve([.waitForRequest, .respond(400, body: "You have it wrong.")])
        var request = server.request("/400", method: "POST")
        request.httpBody = Data(CounterPattern.bytes(count: 100_000))
        let delegate = try await load(request, on: site)
        #expect(delegate.transcript == [.response(400), .data(18), .finished])
        #expect(delegate.body == Data("You have it wrong.".utf8))
        #expect(server.requests.first?.body == CounterPattern.bytes(count: 100_000))
    }

    // MARK: - NSURLSession/portableDelegateTests.m

    // portableDelegateTests.m: a redirect is reported once
    @Test("A redirect is told once, and followed")
    func redirectOnce() async throws {
        let site = try Site(.http)
        let server = try site.serve([
            .waitForRequest, .respond(302, ["Location: /next"]),
            .waitForRequest, .respond(200, body: "abc"),
        ])
        let delegate = RedirectingDelegate()
        let recorder = try await load(server.request(), delegate, on: site)
        #expect(recorder.transcript == [.response(200), .data(3), .finished])
        #expect(delegate.redirects == [.init(status: 302, proposal: server.url("/next"))])
        #expect(server.requests.map(\.target) == ["/", "/next"])
    }

    // portableDelegateTests.m: a redirect that is refused completes
    @Test("A redirect that the delegate refuses is the answer")
    func redirectRefused() async throws {
        let site = try Site(.http)
        let server = try site.serve([
            .waitForRequest, .respond(302, ["Location: /next"], body: "moved"),
        ])
        let delegate = RedirectingDelegate { _ in nil }
        let recorder = try await load(server.request(), delegate, on: site)
        #expect(recorder.transcript == [.response(302), .data(5), .finished])
        #expect(delegate.redirects.count == 1)
        #expect(server.requests.count == 1)
    }
}
