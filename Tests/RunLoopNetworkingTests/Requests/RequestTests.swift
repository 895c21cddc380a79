import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("What goes out", .timeLimit(.minutes(1)))
struct RequestTests {
    private func send(_ change: (inout URLRequest) -> Void) async throws -> RecordedRequest? {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        var request = server.request("/f?q=1#part")
        change(&request)
        let delegate = try await load(request)
        if server.requests.isEmpty {
            #expect(delegate.transcript == [.failed(delegate.urlError?.code ?? .unknown)])
        } else {
            #expect(delegate.transcript == [.response(200), .finished])
        }
        return server.requests.first
    }

    @Test("A plain request names its target, its host and what it takes")
    func plain() async throws {
        let request = try #require(try await send { _ in })
        #expect(request.method == "GET")
        #expect(request.target == "/f?q=1")
        #expect(request["Accept"] == "*/*")
        #expect(request["User-Agent"]?.isEmpty == false)
        #expect(request.values(for: "Host").count == 1)
        #expect(request["Expect"] == nil)
        #expect(request.body.isEmpty)
    }

    // B121
    @Test(
        "A method that has a body announces its length, one that has none does not",
        arguments: [
            ("POST", nil, "0"), ("PUT", nil, "0"), ("PATCH", nil, "0"), ("POST", "", "0"),
            ("GET", nil, nil), ("DELETE", nil, nil), ("HEAD", nil, nil), ("OPTIONS", nil, nil),
            ("POST", "abc", "3"), ("PUT", "abc", "3"), ("DELETE", "abc", "3"),
            ("PATCH", "abc", "3"),
        ] as [(String, String?, String?)]
    )
    func length(method: String, body: String?, length: String?) async throws {
        let sent = try await send { request in
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
        }
        let request = try #require(sent)
        #expect(request.method == method)
        #expect(request["Content-Length"] == length)
        #expect(request["Transfer-Encoding"] == nil)
        #expect(request["Expect"] == nil)
        #expect(request.bodyText == body ?? "")
    }

    @Test("A body of a POST is a form unless its owner says what it is")
    func contentType() async throws {
        let form = try await send { request in
            request.httpMethod = "POST"
            request.httpBody = Data("a=b".utf8)
        }
        #expect(form?["Content-Type"] == "application/x-www-form-urlencoded")
        let text = try await send { request in
            request.httpMethod = "POST"
            request.httpBody = Data("a=b".utf8)
            request.setValue("text/plain", forHTTPHeaderField: "content-type")
        }
        #expect(text?.values(for: "Content-Type") == ["text/plain"])
        let put = try await send { request in
            request.httpMethod = "PUT"
            request.httpBody = Data("a=b".utf8)
        }
        #expect(put?["Content-Type"] == nil)
    }

    // B123
    @Test("A large body goes out without asking first")
    func largeBody() async throws {
        let body = Data(CounterPattern.bytes(count: 2 << 20))
        let request = try await send { request in
            request.httpMethod = "POST"
            request.httpBody = body
        }
        #expect(request?["Expect"] == nil)
        #expect(request.map { Data($0.body) } == body)
    }

    @Test("A GET with a body is refused before anything is sent", arguments: ["GET", "HEAD"])
    func getWithBody(method: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        var request = server.request()
        request.httpMethod = method
        request.httpBody = Data("abc".utf8)
        let delegate = try await load(request)
        #expect(delegate.transcript == [.failed(.dataLengthExceedsMaximum)])
        #expect(delegate.urlError?.failingURL == server.url())
        #expect(server.connectionCount == 0)
    }

    // B126
    @Test(
        "A header field that would split the request never reaches the wire",
        arguments: [
            "a\r\nInjected: 1", "a\nInjected: 1", "a\rInjected: 1", "a\0Injected: 1", "a\u{7F}",
        ]
    )
    func injection(value: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        var request = server.request()
        // This door of Foundation checks nothing.
        request.allHTTPHeaderFields = ["X-Mine": value]
        let delegate = try await load(request)
        #expect(delegate.transcript == [.failed(.badURL)])
        #expect(server.connectionCount == 0)
    }

    // B126
    @Test("A header name that is no token never reaches the wire", arguments: ["X Mine", "X:", ""])
    func badName(name: String) async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        var request = server.request()
        request.allHTTPHeaderFields = [name: "v"]
        let delegate = try await load(request)
        #expect(delegate.transcript == [.failed(.badURL)])
        #expect(server.connectionCount == 0)
    }

    @Test("A method that would split the request never reaches the wire")
    func badMethod() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        var request = server.request()
        request.httpMethod = "GET / HTTP/1.1\r\nInjected: 1\r\n\r\n"
        let delegate = try await load(request)
        #expect(delegate.transcript == [.failed(.badURL)])
        #expect(server.connectionCount == 0)
    }

    @Test("Values go out as they were set, empty ones and those beyond ASCII as well")
    func values() async throws {
        let request = try await send { request in
            request.allHTTPHeaderFields = ["X-Empty": "", "X-Text": "é", "User-Agent": "me/1"]
        }
        #expect(request?["X-Empty"]?.isEmpty == true)
        #expect(request?["X-Text"] == "é")
        #expect(request?.values(for: "User-Agent") == ["me/1"])
    }

    @Test("Fields that follow from the body and the connection can't be set by hand")
    func reserved() async throws {
        let request = try await send { request in
            request.httpMethod = "POST"
            request.httpBody = Data("abc".utf8)
            request.allHTTPHeaderFields = [
                "Content-Length": "1", "Transfer-Encoding": "chunked", "Connection": "close",
                "Expect": "100-continue",
            ]
        }
        #expect(request?.values(for: "Content-Length") == ["3"])
        #expect(request?["Transfer-Encoding"] == nil)
        #expect(request?["Connection"] == nil)
        #expect(request?["Expect"] == nil)
    }

    // B124
    @Test("A refusal in the middle of an upload is delivered")
    func refusedUpload() async throws {
        let stalled = Gate()
        let server = try ScriptedServer([
            .send("HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 7\r\n\r\ntoo big"),
            .halfClose, .waitFor(stalled), .hold,
        ])
        var request = server.request(method: "POST")
        request.httpBody = Data(count: 20 << 20)
        let delegate = try await load(request)
        stalled.open()
        #expect(delegate.transcript == [.response(413), .data(7), .finished])
    }

    @Test("The request that is loaded is the one that was passed in")
    func originalRequest() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        var request = server.request(fields: ["X-Mine": "1"])
        let connection = makeConnection(request, nil)
        request.setValue("2", forHTTPHeaderField: "X-Mine")
        #expect(connection.originalRequest.value(forHTTPHeaderField: "X-Mine") == "1")
        #expect(connection.currentRequest == connection.originalRequest)
        connection.setDelivery(.onLoop)
        connection.start()
        let requests = try await server.received(requests: 1)
        #expect(requests.first?["X-Mine"] == "1")
    }

    @Test(
        "A request can be handled when its URL has all that its scheme needs, whatever its method",
        arguments: [
            ("http://h/", true), ("HTTPS://h", true), ("http:///x", false), ("file:///x", true),
            ("file://h/x", false), ("file:x", false), ("data:,x", true), ("data:x", false),
            ("data:;base64,x", false), ("relative", false), ("gopher://h/", false),
        ]
    )
    func canHandle(text: String, isHandled: Bool) throws {
        var request = URLRequest(url: try #require(URL(string: text)))
        #expect(NSURLConnection.canHandle(request) == isHandled)
        request.httpMethod = "WRONGMETHOD"
        #expect(NSURLConnection.canHandle(request) == isHandled)
        request.url = nil
        #expect(!NSURLConnection.canHandle(request))
    }
}
