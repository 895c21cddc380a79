import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("The cache on the wire", .timeLimit(.minutes(1)))
struct CacheWireTests {
    private let bench = CacheBench()

    private static func notModified(_ fields: String...) -> ScriptStep {
        .send((["HTTP/1.1 304 X"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    @Test("A kept response looks as the first one did, but for its age")
    func hit() async throws {
        let fields = [
            "Cache-Control: max-age=60", "Content-Type: Text/Plain; charset=UTF-8", "X-A: 1",
            "x-a: 2", "Date: \(bench.clock.date())",
        ]
        let server = try CacheBench.server(.respond(200, fields, body: "hello"))
        let first = try #require(try await bench.load(server.request("/f.txt#x")).response)
        bench.clock.advance(by: 30)
        let delegate = try await bench.load(server.request("/f.txt#y"))
        #expect(delegate.transcript == [.response(200), .data(5), .finished])
        #expect(delegate.body == Data("hello".utf8))
        let second = try #require(delegate.response)
        #expect(second.url == server.url("/f.txt#y"))
        #expect(second.expectedContentLength == 5)
        #expect(second.mimeType == "text/plain")
        #expect(second.textEncodingName == "UTF-8")
        #expect(second.suggestedFilename == first.suggestedFilename)
        var names = second.allHeaderFields
        #expect(names.removeValue(forKey: "Age") as? String == "30")
        #expect(names as NSDictionary == first.allHeaderFields as NSDictionary)
        #expect(server.requests.count == 1)
    }

    @Test("A stale response is asked about, and the answer makes it fresh again")
    func validated() async throws {
        let server = try CacheBench.server(
            .respond(200, ["Cache-Control: max-age=10", "ETag: \"a\"", "X-A: 1"], body: "hello"),
            Self.notModified("ETag: \"a\"", "Cache-Control: max-age=60", "X-A: 2")
        )
        try await bench.load(server.request())
        bench.clock.advance(by: 11)
        for _ in 1...2 {
            let delegate = try await bench.load(server.request())
            #expect(delegate.transcript == [.response(200), .data(5), .finished])
            #expect(delegate.body == Data("hello".utf8))
            #expect(delegate.response?.value(forHTTPHeaderField: "X-A") == "2")
            bench.clock.advance(by: 59)
        }
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"a\""])
        #expect(server.requests.map { $0["Cache-Control"] } == [nil, nil])
        #expect(server.connectionCount == 1)
    }

    @Test("What has changed takes the place of what was kept")
    func changed() async throws {
        let modified = bench.clock.date(-1_000_000)
        let server = try CacheBench.server(
            .respond(200, ["Last-Modified: \(modified)", "Cache-Control: max-age=9"], body: "old"),
            .respond(200, ["Cache-Control: max-age=9"], body: "newer")
        )
        try await bench.load(server.request())
        bench.clock.advance(by: 10)
        #expect(try await bench.bodies(server.request(), server.request()) == ["newer", "newer"])
        #expect(server.requests.map { $0["If-Modified-Since"] } == [nil, modified])
    }

    @Test("What the origin takes back is not handed out any more, whatever the policy")
    func takenBack() async throws {
        let server = try CacheBench.server(
            .respond(200, ["ETag: \"a\""], body: "old"),
            .respond(200, ["Cache-Control: no-store"], body: "secret"),
            .respond(200, body: "x")
        )
        try await bench.load(server.request())
        try await bench.load(server.request())
        let last = try await bench.load(server.request(), .returnCacheDataElseLoad)
        #expect(last.body == Data("x".utf8))
    }

    @Test("A 304 to a condition of the caller's is delivered, and a 200 to it is kept")
    func ownCondition() async throws {
        let fields = ["Cache-Control: max-age=60", "ETag: \"a\""]
        let server = try CacheBench.server(
            .respond(200, fields, body: "hello"),
            Self.notModified("ETag: \"a\""),
            .respond(200, fields, body: "newer")
        )
        try await bench.load(server.request())
        let own = server.request(fields: ["If-None-Match": "\"a\""])
        #expect(try await bench.load(own).transcript == [.response(304), .finished])
        #expect(try await bench.load(own).transcript == [.response(200), .data(5), .finished])
        #expect(try await bench.bodies(server.request()) == ["newer"])
        #expect(server.requests.count == 3)
    }

    @Test("A Range goes to the origin, and its part is not kept")
    func range() async throws {
        let part = ScriptStep.respond(
            206,
            ["Content-Range: bytes 0-1/5", "Cache-Control: max-age=60"],
            body: "he"
        )
        let whole = ScriptStep.respond(200, ["Cache-Control: max-age=60"], body: "hello")
        let server = try CacheBench.server(part, whole, part)
        let wanted = server.request(fields: ["Range": "bytes=0-1"])
        #expect(try await bench.load(wanted).transcript == [.response(206), .data(2), .finished])
        #expect(try await bench.bodies(server.request(), server.request()) == ["hello", "hello"])
        #expect(try await bench.load(wanted).transcript == [.response(206), .data(2), .finished])
        #expect(server.requests.map { $0["Range"] } == ["bytes=0-1", nil, "bytes=0-1"])
    }

    @Test("A body that was cut off, or whose load was cancelled, is not kept")
    func cutOff() async throws {
        let head = "HTTP/1.1 200 X\r\nCache-Control: max-age=60\r\nContent-Length: 9\r\n\r\n"
        let server = try ScriptedServer(
            [.waitForRequest, .send(head + "hello"), .finish],
            [.waitForRequest, .send(head + "hello"), .hold],
            [.waitForRequest, .send(head + "hello you")]
        )
        let cut = try await bench.load(server.request())
        #expect(cut.transcript == [.response(200), .data(5), .failed(.networkConnectionLost)])
        let cancelled = Gate()
        let delegate = RecordingDelegate { message, connection in
            guard case .data = message else { return }
            connection.cancel()
            cancelled.open()
        }
        let connection = makeConnection(server.request(), delegate, loop: bench.loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await cancelled.opened()
        let whole = try await bench.load(server.request())
        #expect(whole.transcript == [.response(200), .data(9), .finished])
        #expect(server.requests.count == 3)
    }

    @Test("A POST makes void what is kept of its URL and of its Location, one that fails does not")
    func invalidated() async throws {
        let fresh = ["Cache-Control: max-age=60"]
        let server = try CacheBench.server(
            .respond(200, fresh, body: "a"),
            .respond(200, fresh, body: "b"),
            .respond(500),
            .respond(201, ["Location: /b"]),
            .respond(200, fresh, body: "aa"),
            .respond(200, fresh, body: "bb")
        )
        let requests = [server.request("/a"), server.request("/b")]
        #expect(try await bench.bodies(requests[0], requests[1]) == ["a", "b"])
        try await bench.load(server.request("/a", method: "POST"))
        #expect(try await bench.bodies(requests[0], requests[1]) == ["a", "b"])
        try await bench.load(server.request("/a", method: "POST"))
        #expect(try await bench.bodies(requests[0], requests[1]) == ["aa", "bb"])
        #expect(server.requests.count == 6)
    }

    @Test("HEAD makes what is kept fresh, or void when it is another one")
    func headRequest() async throws {
        let server = try CacheBench.server(
            .respond(200, ["ETag: \"a\"", "Cache-Control: max-age=9"], body: "hello"),
            Self.head("ETag: \"a\"", "Cache-Control: max-age=60"),
            Self.head("ETag: \"b\""),
            .respond(200, ["ETag: \"b\""], body: "newer")
        )
        try await bench.load(server.request())
        bench.clock.advance(by: 10)
        try await bench.load(server.request(method: "HEAD"))
        #expect(try await bench.bodies(server.request()) == ["hello"])
        try await bench.load(server.request(method: "HEAD"))
        #expect(try await bench.bodies(server.request()) == ["newer"])
        #expect(server.requests.map(\.method) == ["GET", "HEAD", "HEAD", "GET"])
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, nil, nil, nil])
    }

    private static func head(_ fields: String...) -> ScriptStep {
        .send((["HTTP/1.1 200 X"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    @Test("A body is kept decoded, with the fields as they came")
    func decoded() async throws {
        let gzip: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0,
            0, 0,
        ]
        let head =
            "HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nCache-Control: max-age=60\r\n"
            + "Content-Length: \(gzip.count)\r\n\r\n"
        let server = try CacheBench.server(
            .send(Array(head.utf8) + gzip),
            .respond(200, body: "identity")
        )
        for _ in 1...2 {
            let delegate = try await bench.load(server.request())
            #expect(delegate.transcript == [.response(200), .data(5), .finished])
            #expect(delegate.body == Data("hello".utf8))
            #expect(delegate.response?.expectedContentLength == -1)
            #expect(delegate.response?.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
        }
        // Whoever wants the bytes as they are stored at the origin gets them from there.
        let raw = server.request(fields: ["Accept-Encoding": "identity"])
        #expect(try await bench.load(raw).body == Data("identity".utf8))
        #expect(server.requests.count == 2)
    }

    @Test("Cookies are set by the response that came, not again by the one that was kept")
    func cookies() async throws {
        let store = CookieStore()
        bench.loop.loop.connectionSettings.cookieStore = store
        let server = try CacheBench.server(
            .respond(
                200,
                ["Set-Cookie: a=1", "Cache-Control: max-age=60", "Vary: Cookie"],
                body: "x"
            ),
            .respond(200, ["Cache-Control: max-age=60", "Vary: Cookie"], body: "with a")
        )
        try await bench.load(server.request())
        #expect(store.cookies.map(\.name) == ["a"])
        // The cookie chooses another variant.
        #expect(try await bench.bodies(server.request()) == ["with a"])
        store.removeAll()
        #expect(try await bench.bodies(server.request()) == ["x"])
        #expect(store.cookies.isEmpty)
        #expect(server.requests.count == 2)
    }

    @Test("What a user was let in for is for this user alone, and only after the server has asked")
    func credentials() async throws {
        bench.loop.loop.connectionSettings.credentialStore = nil
        let refusal = ScriptStep.respond(401, ["WWW-Authenticate: Basic realm=\"x\""], body: "who?")
        let server = try CacheBench.server(
            refusal,
            .respond(200, ["Cache-Control: max-age=60"], body: "mine"),
            refusal,
            .respond(200, ["Cache-Control: max-age=60"], body: "for all"),
            refusal,
            .respond(200, ["Cache-Control: max-age=60"], body: "others'")
        )
        func request(_ user: String) throws -> URLRequest {
            let text = "http://\(user)127.0.0.1:\(server.port)/"
            return URLRequest(url: try #require(URL(string: text)))
        }
        let mine = try request("me:secret@")
        #expect(try await bench.bodies(mine, mine) == ["mine", "mine"])
        #expect(try await bench.bodies(try request(""), try request("")) == ["for all", "for all"])
        bench.cache.removeCachedResponse(for: try request(""))
        #expect(server.requests.map { $0["Authorization"] != nil } == [false, true, false, false])
        #expect(try await bench.bodies(try request("you:secret@")) == ["others'"])
        #expect(server.requests.count == 6)
    }

    @Test("A redirect is followed each time; what it leads to is kept")
    func redirect() async throws {
        let moved = ScriptStep.respond(301, ["Location: /there", "Cache-Control: max-age=60"])
        let server = try CacheBench.server(
            moved,
            .respond(200, ["Cache-Control: max-age=60"], body: "there"),
            moved
        )
        #expect(try await bench.bodies(server.request(), server.request()) == ["there", "there"])
        #expect(server.requests.map(\.target) == ["/", "/there", "/"])
    }

    @Test(
        "With stale-if-error a stale response stands in for an origin that fails or is gone",
        arguments: [["ETag: \"a\""], []]
    )
    func standIn(validator: [String]) async throws {
        let fields = ["Cache-Control: max-age=10, stale-if-error=100"] + validator
        let server = try ScriptedServer(
            [
                .waitForRequest, .respond(200, fields, body: "hello"), .waitForRequest,
                .respond(503, body: "sorry"), .waitForRequest, .reset,
            ],
            [.waitForRequest, .reset]
        )
        try await bench.load(server.request())
        bench.clock.advance(by: 11)
        for _ in 1...2 {
            let delegate = try await bench.load(server.request())
            #expect(delegate.transcript == [.response(200), .data(5), .finished])
        }
        bench.clock.advance(by: 100)
        let last = try await bench.load(server.request())
        #expect(last.transcript == [.failed(.networkConnectionLost)])
    }

    @Test("only-if-cached fails where nothing answers, without a request")
    func onlyIfCached() async throws {
        let server = try CacheBench.server(.respond())
        let request = server.request(fields: ["Cache-Control": "only-if-cached"])
        let delegate = try await bench.load(request)
        #expect(delegate.transcript == [.failed(.resourceUnavailable)])
        #expect(server.connectionCount == 0)
    }

    @Test("A kept body waits for a slow delegate as one from the network does")
    func slowDelegate() async throws {
        let folder = FolderPlace()
        let bench = CacheBench(memory: 1 << 20, disk: 100 << 20, folder: folder.url)
        let length = 4_000_000
        let head =
            "HTTP/1.1 200 X\r\nCache-Control: max-age=60\r\nContent-Length: \(length)\r\n\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(head), .sendPattern(length)])
        let request = server.request()
        let first = try await bench.load(request)
        #expect(first.transcript == [.response(200), .data(length), .finished])
        let goesOn = Gate()
        let delegate = RecordingDelegate { message, _ in
            if case .data = message { try? goesOn.wait() }
        }
        let connection = makeConnection(request, delegate, loop: bench.loop.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.heard { if case .data = $0 { true } else { false } }
        // Others are served meanwhile, and what waits is bounded.
        let other = try await bench.load(request)
        #expect(CounterPattern.firstDifference(in: other.body) == nil)
        #expect(Loader.of(bench.loop.loop).waitingBytes.now <= 1 << 20)
        goesOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(length), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        #expect(server.requests.count == 1)
        #expect(bench.cache.currentMemoryUsage == 0)
    }

    @Test("A load that is cancelled while the cache answers is silent")
    func cancelled() async throws {
        let server = try CacheBench.server(
            .respond(200, ["Cache-Control: max-age=60"], body: String(repeating: "x", count: 9_000))
        )
        try await bench.load(server.request())
        let delegate = RecordingDelegate { message, connection in
            if message == .response(200) { connection.cancel() }
        }
        let queue = OperationQueue()
        let connection = makeConnection(server.request(), delegate, loop: bench.loop.loop)
        connection.setDelegateQueue(queue)
        connection.start()
        try await delegate.heard(count: 1)
        try turnLoopByLoading(bench.loop.loop)
        try await waitForQueue(queue)
        #expect(delegate.transcript == [.response(200)])
    }
}
