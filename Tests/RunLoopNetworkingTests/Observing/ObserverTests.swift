import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Observers", .timeLimit(.minutes(1)))
struct ObserverTests {
    private let loop = TestLoop()
    private let observer: RecordingObserver

    init() {
        observer = RecordingObserver(of: loop.loop)
        loop.loop.connectionSettings.observers = [observer]
        loop.loop.connectionSettings.responseCache = nil
        // Nobody is asked whether it may be used, in no test.
        loop.loop.connectionSettings.credentialStore = nil
        // Whether a response may be kept is a question that is asked the first time alone.
        loop.loop.connectionSettings.responseCache = nil
    }

    @discardableResult
    private func load(_ request: URLRequest) async throws -> RecordingDelegate {
        try await RunLoopNetworkingTests.load(request, loop: loop.loop)
    }

    /// What was heard by the time that the loop has done all it had to do.
    ///
    /// Questions that a type of delegates leaves to their defaults are asked the first time alone, in
    /// whichever test that is.
    private func lines() throws -> [String] {
        try loop.loop.turnTwice()
        let questions = ["message willSend", "message credentialStorage", "message challenge"]
        return observer.lines.filter { !questions.contains($0) }
    }

    private static let fresh = [
        "lookingUpName", "connecting 127.0.0.1", "connected", "sending GET", "firstByte",
    ]

    @Test("A load is observed from its start to its end, on the loop")
    func plain() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        try await load(server.request("/f"))
        let expected =
            ["started"] + Self.fresh + [
                "transferEnded", "message response(status: 200)", "message data",
                "message finished", "ended well",
            ]
        #expect(try lines() == expected)
        #expect(observer.areOnLoop)
        #expect(Set(observer.connections.map(\.url)) == [server.url("/f")])
        let details = try #require(observer.networkConnections.first)
        #expect(details.address == "127.0.0.1")
        #expect(details.port == server.port)
        #expect(details.localAddress == "127.0.0.1")
        #expect(details.localPort != 0)
    }

    @Test("The times of a transfer come one after another, and the bytes are counted")
    func timings() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        var request = server.request("/f", method: "POST")
        request.httpBody = Data("hello".utf8)
        try await load(request)
        _ = try lines()
        let timings = try #require(observer.timings.first)
        let times = [
            .zero, timings.nameLookUp, timings.connect, timings.send, timings.firstByte,
            timings.total,
        ]
        #expect(times == times.sorted())
        #expect(timings.connect > .zero)
        #expect(timings.secure == .zero)
        #expect(timings.sentBodyBytes == 5)
        #expect(timings.receivedBodyBytes == 3)
        #expect(timings.receivedHeadBytes == 37)
        #expect(timings.openedConnections == 1)
        #expect(timings.httpVersion == "1.1")
    }

    @Test("A network connection that is used again is neither looked up nor connected")
    func reuse() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "abc")])])
        try await load(server.request("/1"))
        let count = try lines().count
        try await load(server.request("/2"))
        let expected = [
            "started", "connected again", "sending GET", "firstByte", "transferEnded",
            "message response(status: 200)", "message data", "message finished", "ended well",
        ]
        #expect(try Array(lines().dropFirst(count)) == expected)
        #expect(Set(observer.connections.map(\.number)).count == 2)
        #expect(Set(observer.networkConnections.map(\.localPort)).count == 1)
        #expect(observer.timings.map(\.openedConnections) == [1, 0])
    }

    @Test("A redirect is told between two transfers, and changes the URL")
    func redirect() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: /next"]),
            .waitForRequest, .respond(200, body: "abc"),
        ])
        let request = server.request("/first")
        let secret = request.url?.absoluteString.replacing("http://", with: "http://me:secret@")
        var withSecret = request
        withSecret.url = secret.flatMap { URL(string: $0) }
        let delegate = AnsweringDelegate()
        let connection = makeConnection(withSecret, delegate, loop: loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        let expected =
            ["started", "message willSend"] + Self.fresh + [
                "transferEnded", "message willSend", "redirected", "connected again",
                "sending GET", "firstByte", "transferEnded", "message response(status: 200)",
                "message data", "message finished", "ended well",
            ]
        _ = try lines()
        #expect(observer.lines == expected)
        let paths = observer.connections.compactMap { $0.url?.path }
        #expect(Set(paths.prefix(9)) == ["/first"])
        #expect(Set(paths.dropFirst(9)) == ["/next"])
        #expect(observer.connections.allSatisfy { $0.url?.user == nil && $0.url?.password == nil })
        #expect(Set(observer.connections.map(\.number)) == [connection.number])
    }

    @Test("A failure is the last event but one, and its code the last")
    func failure() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let delegate = try await load(URLRequest(url: url))
        let code = URLError.Code.cannotConnectToHost
        #expect(delegate.transcript == [.failed(code)])
        let expected = [
            "started", "lookingUpName", "connecting 127.0.0.1",
            "transferEnded", "message failed", "ended \(code.rawValue)",
        ]
        #expect(try lines() == expected)
    }

    @Test("A cancelled load ends without a message")
    func cancel() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .hold,
        ])
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request("/f"), delegate, loop: loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.heard(count: 2)
        connection.cancel()
        let expected =
            ["started"] + Self.fresh + [
                "message response(status: 200)", "message data",
                "ended \(URLError.Code.cancelled.rawValue)",
            ]
        #expect(try lines() == expected)
    }

    @Test("A challenge is told, and the request that answers it is another transfer")
    func challenge() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(401, ["WWW-Authenticate: Basic realm=\"r\""]),
            .waitForRequest, .respond(200, body: "abc"),
        ])
        var request = server.request("/f")
        let text = server.url("/f").absoluteString
        request.url = URL(string: text.replacing("http://", with: "http://me:pw@"))
        let delegate = try await load(request)
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        let expected =
            ["started"] + Self.fresh + [
                "challenged NSURLAuthenticationMethodHTTPBasic", "transferEnded", "connected again",
                "sending GET", "firstByte", "transferEnded", "message response(status: 200)",
                "message data", "message finished", "ended well",
            ]
        let heard = try lines()
        #expect(heard == expected)
        #expect(observer.timings.count == 2)
    }

    @Test("What the cache has to do with a load is told")
    func cache() async throws {
        loop.loop.connectionSettings.responseCache = ResponseCache(memoryCapacity: 1 << 20)
        let server = try ScriptedServer([
            .waitForRequest, .respond(200, ["Cache-Control: max-age=100"], body: "abc"),
            .waitForRequest, .respond(200, ["ETag: \"1\"", "Cache-Control: no-cache"], body: "d"),
            .waitForRequest, .respond(304, ["ETag: \"1\""]),
        ])
        for path in ["/kept", "/kept", "/asked", "/asked"] {
            try await load(server.request(path))
        }
        let decisions = try lines().filter { $0.hasPrefix("cache") || $0.hasPrefix("sending") }
        let first = ["cache hasNothing", "sending GET", "cache stores"]
        let expected =
            first + ["cache answers"] + first + [
                "cache asksServer", "sending GET", "cache confirmed",
            ]
        #expect(decisions == expected)
    }

    @Test("TLS is seen with its version")
    func secure() async throws {
        let authority = try TLSAuthority()
        loop.loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
        let server = try ScriptedServer(
            [.waitForRequest, .respond(200, body: "abc")],
            tls: authority.identity()
        )
        try await load(server.request("/f"))
        #expect(try lines().contains("connected TLS"))
        #expect(observer.networkConnections.map(\.tlsVersion) == ["TLSv1.3"])
        let timings = try #require(observer.timings.first)
        #expect(timings.secure >= timings.connect && timings.secure <= timings.send)
    }

    @Test(
        "Several observers are told in order, and one that comes later hears of later loads alone"
    )
    func several() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "abc")])])
        let second = RecordingObserver(of: loop.loop)
        try await load(server.request("/1"))
        let first = try lines()
        loop.loop.connectionSettings.observers = [observer, second]
        try await load(server.request("/2"))
        #expect(try lines() == first + second.lines)
        #expect(loop.loop.connectionSettings.observers == [observer, second])
        #expect(loop.loop.connectionSettings.observers != [second, observer])
    }
}

extension EventLoop {
    /// Blocks until the loop has turned twice.
    fileprivate func turnTwice() throws {
        for _ in 1...2 {
            let gate = Gate()
            perform { gate.open() }
            try gate.wait()
        }
    }
}
