import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Debian's nginx as people set it up: error pages, conditions, limits, and other servers behind it.
@Suite("nginx set-ups", .timeLimit(.minutes(2)))
struct NginxSetupTests {
    private let nginx: Nginx
    private let loading = LoadingLoop()
    private let small = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
    private let backend: ScriptedServer
    private let mayGoOn: Gate

    init() throws {
        let mayGoOn = Gate()
        self.mayGoOn = mayGoOn
        // nginx asks each request on a network connection of its own.
        backend = try ScriptedServer([
            .waitForRequest,
            .send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\none"),
            .waitFor(mayGoOn), .send("two"), .hold,
        ])
        let closed = try ScriptedServer([])
        closed.stop()
        nginx = try Nginx(
            locations: """
                error_page 404 /errors/404.html;
                error_page 500 502 503 504 /errors/50x.html;
                location = /unavailable { return 503; }
                location = /gone { return 410 "gone for good"; }
                location = /small-bodies { client_max_body_size 1k; return 200 "ok"; }
                location /small-bodies/ { client_max_body_size 1k; proxy_pass \(backend.url("/")); }
                location /once/ { alias files/; keepalive_requests 1; }
                location /twice/ { alias files/; keepalive_requests 2; }
                location /thrice/ { alias files/; keepalive_requests 3; }
                location /backend/ {
                    proxy_pass \(backend.url("/")); proxy_buffering off; proxy_read_timeout 1s;
                }
                location /closed/ { proxy_pass \(closed.url("/")); }
                """
        )
        try nginx.put("small.bin", small)
        try nginx.put("errors/404.html", Data("not here".utf8))
        try nginx.put("errors/50x.html", Data("not now".utf8))
        // Every load is to reach nginx, also that of a file which may be fresh for a moment.
        loading.loop.connectionSettings.responseCache = nil
        loading.loop.connectionSettings.certificateAuthorityFile =
            nginx.certificates.authority.path
    }

    private func load(
        _ path: String,
        configure: (inout URLRequest) -> Void = { _ in }
    ) async throws -> RecordingDelegate {
        try await loading.load(nginx.url.appendingPathComponent(path), configure: configure)
    }

    // MARK: - Error pages

    @Test(
        "An error comes with its page, and is no failure",
        arguments: [
            ("nothing", 404, "not here"), ("unavailable", 503, "not now"),
            ("gone", 410, "gone for good"), ("closed/file", 502, "not now"),
        ]
    )
    func errorPage(path: String, status: Int, text: String) async throws {
        let delegate = try await load(path)
        #expect(delegate.transcript == [.response(status), .data(text.utf8.count), .finished])
        #expect(delegate.body == Data(text.utf8))
    }

    // MARK: - Conditions and ranges

    @Test("The caller's own condition is answered by a 304 without a body")
    func notModified() async throws {
        let first = try await load("small.bin")
        for (field, condition) in [
            ("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since"),
        ] {
            let value = try #require(first.response?.value(forHTTPHeaderField: field))
            let delegate = try await load("small.bin") {
                $0.cachePolicy = .reloadIgnoringLocalCacheData
                $0.setValue(value, forHTTPHeaderField: condition)
            }
            #expect(delegate.transcript == [.response(304), .finished])
            #expect(delegate.response?.value(forHTTPHeaderField: field) == value)
        }
    }

    @Test("A condition that does not hold any more is answered by the file or a refusal")
    func modified() async throws {
        for (condition, value, status) in [
            ("If-None-Match", "\"other\"", 200),
            ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 200),
            ("If-Match", "\"other\"", 412),
            ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 412),
        ] {
            let delegate = try await load("small.bin") {
                $0.cachePolicy = .reloadIgnoringLocalCacheData
                $0.setValue(value, forHTTPHeaderField: condition)
            }
            #expect(delegate.transcript.first == .response(status))
            #expect(delegate.transcript.last == .finished)
            #expect((delegate.body == small) == (status == 200))
        }
    }

    @Test(
        "A range comes with its place in the file",
        arguments: [
            ("bytes=0-99", 0..<100), ("bytes=100-", 100..<10_000), ("bytes=-1", 9999..<10_000),
            ("bytes=9990-99999", 9990..<10_000),
        ]
    )
    func range(field: String, bytes: Range<Int>) async throws {
        let delegate = try await load("small.bin") {
            $0.setValue(field, forHTTPHeaderField: "Range")
        }
        #expect(delegate.transcript == [.response(206), .data(bytes.count), .finished])
        #expect(delegate.body == small[bytes])
        #expect(
            delegate.response?.value(forHTTPHeaderField: "Content-Range")
                == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/10000"
        )
    }

    @Test("A range that is not there is refused, and the answer says how much there is")
    func noRange() async throws {
        let delegate = try await load("small.bin") {
            $0.setValue("bytes=10000-", forHTTPHeaderField: "Range")
        }
        #expect(delegate.transcript.first == .response(416))
        #expect(delegate.transcript.last == .finished)
        #expect(
            delegate.response?.value(forHTTPHeaderField: "Content-Range") == "bytes */10000"
        )
    }

    @Test("Several ranges come as a body of several parts")
    func ranges() async throws {
        let delegate = try await load("small.bin") {
            $0.setValue("bytes=0-9,20-29", forHTTPHeaderField: "Range")
        }
        #expect(delegate.response?.statusCode == 206)
        #expect(delegate.response?.mimeType == "multipart/byteranges")
        #expect(delegate.response?.expectedContentLength == Int64(delegate.body.count))
        for bytes in [0..<10, 20..<30] {
            #expect(delegate.body.range(of: small[bytes]) != nil)
        }
    }

    @Test("If-Range gives the range of the same file, and the whole of another one")
    func ifRange() async throws {
        let first = try await load("small.bin")
        let tag = try #require(first.response?.value(forHTTPHeaderField: "ETag"))
        for (value, status, count) in [(tag, 206, 10), ("\"other\"", 200, 10_000)] {
            let delegate = try await load("small.bin") {
                $0.setValue("bytes=0-9", forHTTPHeaderField: "Range")
                $0.setValue(value, forHTTPHeaderField: "If-Range")
            }
            #expect(delegate.transcript == [.response(status), .data(count), .finished])
        }
    }

    // MARK: - Limits

    @Test(
        "A body that is too large is refused, and the refusal is told",
        arguments: [2000, 5 << 20]
    )
    func tooLarge(count: Int) async throws {
        for path in ["small-bodies", "small-bodies/file"] {
            let delegate = try await load(path) {
                $0.httpMethod = "POST"
                $0.httpBody = Data(count: count)
            }
            #expect(delegate.transcript.first == .response(413))
            #expect(delegate.transcript.last == .finished)
        }
        #expect(backend.requests.isEmpty)
    }

    @Test("A body within the limit is taken")
    func smallEnough() async throws {
        let delegate = try await load("small-bodies") {
            $0.httpMethod = "POST"
            $0.httpBody = Data(count: 1000)
        }
        #expect(delegate.transcript == [.response(200), .data(2), .finished])
    }

    @Test(
        "A network connection is used as often as the server lets it, and then another one",
        arguments: [("once", 1), ("twice", 2), ("thrice", 3)]
    )
    func keepAlive(folder: String, limit: Int) async throws {
        var connections: [String] = []
        for _ in 1...6 {
            let delegate = try await load("\(folder)/small.bin")
            #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
            let field = delegate.response?.value(forHTTPHeaderField: "X-Connection")
            connections.append(try #require(field))
        }
        #expect(Set(connections).count == 6 / limit)
        let runs = stride(from: 0, to: 6, by: limit).map { Set(connections[$0..<$0 + limit]) }
        #expect(runs.allSatisfy { $0.count == 1 })
    }

    @Test("Many loads at once all come, however seldom a network connection may be used")
    func keepAliveAtOnce() async throws {
        let delegates = (1...30).map { _ in RecordingDelegate() }
        for (number, delegate) in delegates.enumerated() {
            let folder = ["once", "twice", "thrice"][number % 3]
            try loading.start(nginx.url.appendingPathComponent("\(folder)/small.bin"), delegate)
        }
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
        }
    }

    // MARK: - Other servers behind it

    @Test("What a server behind it has sent is told before the rest is there", arguments: [1, 2])
    func slowBackend(version: Int) async throws {
        let delegate = RecordingDelegate()
        let base = version == 1 ? nginx.url : nginx.secureURL
        try loading.start(base.appendingPathComponent("backend/file"), delegate)
        try await delegate.heard { $0 == .data(3) }
        #expect(delegate.messages.map(\.message) == [.response(200), .data(3)])
        mayGoOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(6), .finished])
        #expect(delegate.body == Data("onetwo".utf8))
    }

    @Test("A server behind it that stops in its body makes a failure", arguments: [1, 2])
    func cutBackend(version: Int) async throws {
        let base = version == 1 ? nginx.url : nginx.secureURL
        // nginx gives it up after a second, and can only cut its own answer.
        let delegate = try await loading.load(base.appendingPathComponent("backend/file"))
        #expect(
            delegate.transcript == [.response(200), .data(3), .failed(.networkConnectionLost)]
        )
    }
}
