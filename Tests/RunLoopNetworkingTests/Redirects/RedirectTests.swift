import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Redirects", .timeLimit(.minutes(1)))
struct RedirectTests {
    private let whole: [TranscriptMessage] = [.response(200), .data(4), .finished]
    private let final: [ScriptStep] = [.waitForRequest, .respond(200, body: "DATA")]

    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: String
        let next: String
        var testDescription: String { "\(status) \(method) → \(next)" }
        /// Whether the second request still has the body.
        var keepsBody: Bool { status == 307 || status == 308 || (method == "PUT" && status != 303) }
    }

    private static let cases: [Case] = [301, 302, 303, 307, 308].flatMap { status in
        ["GET", "HEAD", "POST", "PUT", "DELETE"].map { method in
            let becomesGet =
                status == 303 && method != "HEAD" || status <= 302 && method == "POST"
            return Case(status: status, method: method, next: becomesGet ? "GET" : method)
        }
    }

    // B035
    @Test(
        "The second request has the method and the body that the status asks for",
        arguments: cases
    )
    private func b035MethodAndBody(redirect: Case) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(redirect.status, ["Location: /r"]), .waitForRequest,
            .respond(200), .hold,
        ])
        var request = server.request("/start", method: redirect.method)
        let hasBody = ["POST", "PUT"].contains(redirect.method)
        if hasBody {
            request.httpBody = Data("abc".utf8)
            request.setValue("text/x-mine", forHTTPHeaderField: "Content-Type")
        }
        let delegate = try await load(request)
        #expect(delegate.transcript == [.response(200), .finished])
        let second = try #require(server.requests.last)
        #expect(server.requests.map(\.target) == ["/start", "/r"])
        #expect(second.method == redirect.next)
        let keepsBody = hasBody && redirect.keepsBody
        #expect(second.bodyText == (keepsBody ? "abc" : ""))
        #expect(second["Content-Length"] == (keepsBody ? "3" : nil))
        #expect(second["Content-Type"] == (keepsBody ? "text/x-mine" : nil))
        #expect(second["Transfer-Encoding"] == nil)
        #expect(delegate.response?.url == server.url("/r"))
    }

    // B034
    @Test(
        "The body of a redirect is not told, and does not hold the load up",
        arguments: [
            "Content-Length: 9\r\n\r\n<html/>..",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nHELLO\r\n0\r\n\r\n",
            "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone",
        ]
    )
    func b034BodyIsNotTold(text: String) async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .send("HTTP/1.1 302 X\r\nLocation: /r\r\n" + text)] + final,
            final
        )
        let delegate = try await load(server.request())
        #expect(delegate.transcript == whole)
        #expect(delegate.body == Data("DATA".utf8))
        #expect(server.requests.map(\.target) == ["/", "/r"])
    }

    // B034
    @Test("A redirect's body of megabytes is not read to its end", arguments: [true, false])
    func b034LargeBodyIsNotRead(isAnnounced: Bool) async throws {
        let size = 50 << 20
        let length = isAnnounced ? "Content-Length: \(size)\r\n" : ""
        let server = try ScriptedServer(
            [
                .waitForRequest, .send("HTTP/1.1 302 X\r\nLocation: /r\r\n\(length)\r\n"),
                .sendPattern(size), .finish,
            ],
            final
        )
        let delegate = try await load(server.request())
        #expect(delegate.transcript == whole)
        #expect(server.connectionCount == 2)
        try await server.closedByClient(connections: 1)
        #expect(server.sentBytes() < size)
    }

    // B034
    @Test("A redirect's body that ends too early, or with the connection, is no failure")
    func b034CutBodyIsNoFailure() async throws {
        for field in ["Content-Length: 9\r\n", ""] {
            let server = try ScriptedServer(
                [
                    .waitForRequest, .send("HTTP/1.1 302 X\r\nLocation: /r\r\n\(field)\r\nabc"),
                    .finish,
                ],
                final
            )
            let delegate = try await load(server.request())
            #expect(delegate.transcript == whole)
        }
    }

    @Test("Twenty redirects are followed, and the next one fails")
    func limit() async throws {
        let step: [ScriptStep] = [.waitForRequest, .respond(302, ["Location: /again"])]
        let twenty = try ScriptedServer([.again(times: 20, step)] + final)
        let followed = try await load(twenty.request())
        #expect(followed.transcript == whole)
        let endless = try ScriptedServer([.forever(step)])
        let failed = try await load(endless.request())
        #expect(failed.transcript == [.failed(.httpTooManyRedirects)])
        #expect(failed.urlError?.failingURL == endless.url("/again"))
        #expect(endless.requests.count == 21)
    }

    // B043
    @Test("A redirect to another scheme fails, and the place is not touched")
    func b043OtherScheme() async throws {
        for location in ["file:///etc/passwd", "ftp://127.0.0.1:1/"] {
            let server = try ScriptedServer([
                .waitForRequest, .respond(302, ["Location: \(location)"], body: "moved"),
            ])
            let delegate = try await load(server.request("/start"))
            #expect(delegate.transcript == [.failed(.unsupportedURL)])
            #expect(delegate.urlError?.failingURL == server.url("/start"))
        }
    }

    @Test("A 3xx that leads nowhere is an answer", arguments: [300, 302, 304, 307])
    func answer(status: Int) async throws {
        let fields = [300, 304].contains(status) ? ["Location: /r"] : []
        let body = status == 304 ? "" : "moved"
        let server = try ScriptedServer([
            .waitForRequest, .respond(status, fields, body: body), .hold,
        ])
        let delegate = try await load(server.request())
        let data: [TranscriptMessage] = body.isEmpty ? [] : [.data(5)]
        #expect(delegate.transcript == [.response(status)] + data + [.finished])
    }

    // B037, B038
    @Test("Another origin gets its own host, and no secrets")
    func b037OtherOriginGetsItsHost() async throws {
        let target = try ScriptedServer(final)
        let server = try ScriptedServer([
            .waitForRequest,
            .respond(302, ["Location: http://localhost:\(target.port)/x?y=1#frag"]),
        ])
        let fields = [
            "Authorization": "Bearer t", "Cookie": "s=1", "Proxy-Authorization": "Basic x",
            "Host": "mine.example", "X-Mine": "kept",
        ]
        let delegate = try await load(server.request(fields: fields))
        #expect(delegate.transcript == whole)
        let first = try #require(server.requests.first)
        #expect(first.values(for: "Host") == ["mine.example"])
        #expect(first["Authorization"] == "Bearer t")
        let second = try #require(target.requests.first)
        #expect(second.target == "/x?y=1")
        #expect(second.values(for: "Host") == ["localhost:\(target.port)"])
        #expect(second["Authorization"] == nil)
        #expect(second["Cookie"] == nil)
        #expect(second["Proxy-Authorization"] == nil)
        #expect(second["X-Mine"] == "kept")
    }

    // B038
    @Test("A user and a password in the URL stay with their origin")
    func userInformation() async throws {
        let target = try ScriptedServer(final)
        let server = try ScriptedServer([
            .waitForRequest, .refuse, .waitForRequest, .respond(302, ["Location: /own"]),
            .waitForRequest, .refuse,
            .waitForRequest, .respond(302, ["Location: \(target.url("/other"))"]),
        ])
        let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(server.port)/"))
        let delegate = try await load(URLRequest(url: url))
        #expect(delegate.transcript == whole)
        let told = server.requests.map { $0["Authorization"] != nil }
        #expect(told == [false, true, false, true])
        #expect(target.requests.map { $0["Authorization"] != nil } == [false])
    }

    // B041
    @Test("A location is repaired before it goes out, and never splits the request line")
    func b041LocationIsRepaired() async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .respond(302, ["Location: \t/my file é.txt?q=a b "])] + final
        )
        let delegate = try await load(server.request())
        #expect(delegate.transcript == whole)
        #expect(server.requests.last?.target == "/my%20file%20%C3%A9.txt?q=a%20b")
    }

    @Test("The current request changes with each redirect, the original one does not")
    func currentRequest() async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .respond(302, ["Location: /r"])] + final
        )
        let delegate = RecordingDelegate { [url = server.url("/r")] message, connection in
            if message == .response(200) { #expect(connection.currentRequest.url == url) }
        }
        let connection = makeConnection(server.request("/start"), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended()
        #expect(connection.currentRequest.url == server.url("/r"))
        #expect(connection.originalRequest.url == server.url("/start"))
    }

    @Test("Cancelled while a redirect is followed, nothing is heard")
    func cancel() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: /r"]), .waitForRequest, .hold,
        ])
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelivery(.onLoop)
        connection.start()
        try await server.received(requests: 2)
        connection.cancel()
        try await server.closedByClient(connections: 1)
        #expect(delegate.transcript.isEmpty)
    }

    // B131
    @Test("Many redirects at once all come to their end")
    func many() async throws {
        let server = try ScriptedServer([
            .forever([
                .waitForRequest, .respond(303, ["Location: /ok"]), .waitForRequest,
                .respond(200, body: "DATA"),
            ])
        ])
        let delegates = (0..<50).map { _ in RecordingDelegate() }
        for delegate in delegates {
            var request = server.request(method: "POST")
            request.httpBody = Data("abc".utf8)
            let connection = makeConnection(request, delegate)
            connection.setDelivery(.onLoop)
            connection.start()
        }
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.faults.isEmpty)
        }
    }
}
