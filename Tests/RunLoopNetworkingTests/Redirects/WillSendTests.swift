import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("What is about to be sent", .timeLimit(.minutes(1)))
struct WillSendTests {
    private let moved = ScriptStep.respond(302, ["Location: /next"], body: "moved")
    private let answer = ScriptStep.respond(200, body: "abc")

    @discardableResult
    private func load(_ request: URLRequest, _ delegate: AnsweringDelegate) async throws
        -> NSURLConnection
    {
        let connection = makeConnection(request, delegate)
        connection.setDelegateQueue(DispatchQueue(label: "answers"))
        connection.start()
        try await delegate.ended.opened()
        return connection
    }

    @Test("The delegate is shown the request once before it is sent, in canonical form")
    func initial() async throws {
        let server = try ScriptedServer([.waitForRequest, answer])
        let delegate = AnsweringDelegate()
        let url = try #require(URL(string: "HTTP://LocalHost:\(server.port)"))
        let connection = try await load(URLRequest(url: url), delegate)
        #expect(delegate.lines == ["willSend GET /", "response 200", "data", "finished"])
        #expect(delegate.asked.first?.url?.absoluteString == "http://localhost:\(server.port)/")
        #expect(connection.currentRequest.url?.absoluteString == "http://localhost:\(server.port)/")
        #expect(connection.originalRequest.url == url)
    }

    @Test("Another request than the one that was shown is sent as it is")
    func replaced() async throws {
        let server = try ScriptedServer([.waitForRequest, answer])
        let delegate = AnsweringDelegate { request, _, _ in
            var other = request
            other.url = server.url("/other")
            other.httpMethod = "POST"
            other.httpBody = Data("body".utf8)
            other.setValue("yes", forHTTPHeaderField: "X-Added")
            return other
        }
        let connection = try await load(server.request(), delegate)
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST" && sent.target == "/other")
        #expect(sent.values(for: "X-Added") == ["yes"])
        #expect(sent.body == Array("body".utf8))
        #expect(connection.currentRequest.url?.path == "/other")
    }

    @Test("No request to begin with fails the connection, and nothing is sent")
    func refusedAtOnce() async throws {
        let server = try ScriptedServer([.waitForRequest, answer])
        let delegate = AnsweringDelegate { _, _, _ in nil }
        try await load(server.request(), delegate)
        #expect(delegate.lines == ["willSend GET /", "failed -999"])
        #expect(server.requests.isEmpty)
    }

    @Test("Each redirect is shown with its response, and only the last answer is delivered")
    func redirects() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(301, ["Location: /a"], body: "gone"),
            .waitForRequest, .respond(307, ["Location: /b"]),
            .waitForRequest, answer,
        ])
        let delegate = AnsweringDelegate()
        try await load(server.request(), delegate)
        #expect(
            delegate.lines == [
                "willSend GET /", "willSend GET /a after 301", "willSend GET /b after 307",
                "response 200", "data", "finished",
            ]
        )
        #expect(delegate.body == Data("abc".utf8))
    }

    // B040
    @Test(
        "A refused redirect is the answer, with its body",
        arguments: [
            ["Content-Length: 5", ""], ["Transfer-Encoding: chunked", "chunked"],
            ["Connection: close", "close"],
        ]
    )
    func b040RefusedRedirectIsTheAnswer(how: [String]) async throws {
        let body = how[1] == "chunked" ? "5\r\nmoved\r\n0\r\n\r\n" : "moved"
        let head = "HTTP/1.1 302 Found\r\nLocation: /next\r\n\(how[0])\r\n\r\n"
        var script: [ScriptStep] = [.waitForRequest, .send(head), .send(body)]
        if how[1] == "close" { script.append(.finish) }
        let server = try ScriptedServer([.again(times: how[1] == "close" ? 1 : 3, script)])
        for _ in 0..<3 {
            let delegate = AnsweringDelegate { request, response, _ in
                response == nil ? request : nil
            }
            try await load(server.request(), delegate)
            #expect(
                delegate.lines == [
                    "willSend GET /", "willSend GET /next after 302", "response 302", "data",
                    "finished",
                ]
            )
            #expect(delegate.body == Data("moved".utf8))
        }
        #expect(server.requests.allSatisfy { $0.target == "/" })
    }

    @Test("A refused redirect with a large body is delivered whole, after a late answer too")
    func refusedLarge() async throws {
        let answers = Gate()
        let server = try ScriptedServer([
            .waitForRequest,
            .send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 3000000\r\n\r\n"),
            .sendPattern(3_000_000),
        ])
        let delegate = AnsweringDelegate { request, response, _ in
            guard response != nil else { return request }
            try? answers.wait()
            return nil
        }
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(DispatchQueue(label: "late"))
        connection.start()
        // Others go on while the question is open.
        let other = try ScriptedServer([.waitForRequest, answer])
        let quick = RecordingDelegate()
        let second = makeConnection(other.request(), quick)
        second.setDelegateQueue(DispatchQueue(label: "other"))
        second.start()
        try await quick.ended()
        answers.open()
        try await delegate.ended.opened()
        #expect(delegate.lines.suffix(3) == ["response 302", "data", "finished"])
        #expect(delegate.body.count == 3_000_000)
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
    }

    @Test("A cancel inside the question ends everything; its answer counts for nothing")
    func cancelled() async throws {
        let server = try ScriptedServer([.waitForRequest, moved, .waitForRequest, answer])
        let delegate = AnsweringDelegate { request, response, connection in
            if response != nil { connection.cancel() }
            return request
        }
        let connection = makeConnection(server.request(), delegate)
        connection.setDelivery(.onLoop)
        connection.start()
        try await server.closedByClient(connections: 1)
        #expect(delegate.lines == ["willSend GET /", "willSend GET /next after 302"])
        #expect(server.requests.count == 1)
    }

    @Test("A delegate may restore what a redirect has taken out")
    func restored() async throws {
        let second = try ScriptedServer([.waitForRequest, answer])
        let first = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: http://localhost:\(second.port)/x"]),
        ])
        let delegate = AnsweringDelegate { request, response, connection in
            guard response != nil else { return request }
            var restored = connection.originalRequest
            restored.url = request.url
            return restored
        }
        var request = first.request(fields: ["Authorization": "Bearer t"])
        request.httpMethod = "POST"
        request.httpBody = Data("abc".utf8)
        try await load(request, delegate)
        // Shown without, as RFC 9110 asks for, and sent with, as the delegate wants.
        #expect(delegate.asked.last?.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(delegate.asked.last?.httpMethod == "GET")
        let sent = try #require(second.requests.first)
        #expect(sent.method == "POST" && sent.body == Array("abc".utf8))
        #expect(sent.values(for: "Authorization") == ["Bearer t"])
    }

    @Test("A request that can't be sent is not asked about")
    func invalid() async throws {
        let delegate = AnsweringDelegate()
        let url = try #require(URL(string: "gopher://127.0.0.1/"))
        try await load(URLRequest(url: url), delegate)
        #expect(delegate.lines == ["failed -1002"])
    }

    @Test("A form that is posted without a type gets the usual one")
    func form() async throws {
        let server = try ScriptedServer([.waitForRequest, answer])
        let delegate = AnsweringDelegate()
        var request = server.request()
        request.httpMethod = "POST"
        request.httpBody = Data("a=b".utf8)
        try await load(request, delegate)
        let type = "application/x-www-form-urlencoded"
        #expect(delegate.asked.first?.value(forHTTPHeaderField: "Content-Type") == type)
        #expect(server.requests.first?.values(for: "Content-Type") == [type])
    }

    @Test("A redirect that nobody follows in time does not time out while the delegate thinks")
    func slowAnswer() async throws {
        let server = try ScriptedServer([.waitForRequest, moved, .waitForRequest, answer])
        let thinks = Gate()
        let asksAboutRedirect = Gate()
        let delegate = AnsweringDelegate { request, response, _ in
            if response != nil {
                asksAboutRedirect.open()
                try? thinks.wait()
            }
            return request
        }
        let manual = ManualLoop()
        let loop = TestLoop(manual)
        let connection = makeConnection(server.request(timeout: 5), delegate, loop: loop.loop)
        connection.setDelegateQueue(DispatchQueue(label: "thinks"))
        connection.start()
        try await asksAboutRedirect.opened()
        manual.advance(by: .seconds(60))
        thinks.open()
        try await delegate.ended.opened()
        #expect(delegate.lines.last == "finished")
    }
}
