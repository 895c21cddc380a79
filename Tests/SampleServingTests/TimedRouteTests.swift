import Testing

@testable import SampleServing

@Suite("Slow and endless answers", .timeLimit(.minutes(1)))
struct TimedRouteTests {
    private let server: SampleServer
    private let root: String

    init() throws {
        server = try SampleServer()
        root = server.start().absoluteString
    }

    @Test("A slow answer comes after its delay, and others do not wait for it")
    func slow() async throws {
        let slow = RawConnection(port: server.port)
        let start = ContinuousClock.now
        slow.get("/slow/300/10")
        #expect(try await Fetched.get(root + "/slow/0/3").body == [0, 0, 0])
        #expect(slow.read(until: "Content-Length: 10") != nil)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test("A paced answer takes as long as its rate says, and comes in many pieces")
    func paced() async throws {
        let connection = RawConnection(port: server.port)
        let start = ContinuousClock.now
        connection.get("/paced/100kB/40kB")
        var pieces = 0
        var bytes: [UInt8] = []
        while bytes.count < 40_000, case .bytes(let more) = connection.read() {
            bytes += more
            pieces += 1
            if pieces == 1, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                bytes.removeFirst(end.upperBound)
            }
        }
        #expect(bytes == Pattern(size: 40_000).bytes(in: 0..<40_000))
        #expect(ContinuousClock.now - start >= .milliseconds(395))
        #expect(pieces >= 4)
    }

    @Test("A paced file has ranges, so that what was broken off can be resumed")
    func pacedRange() async throws {
        let fetched = try await Fetched.get(root + "/paced/10MB/2MB", "-r", "1999990-")
        #expect(fetched.status == 206)
        #expect(fetched.body == Pattern(size: 2_000_000).bytes(in: 1_999_990..<2_000_000))
    }

    @Test("Bytes become due evenly, and none twice")
    func pacing() {
        let start = ContinuousClock.now
        var pacing = Pacing(bytesPerSecond: 1_000, start: start)
        #expect(pacing.due(at: start) == 0)
        #expect(pacing.due(at: start + .milliseconds(20)) == 20)
        pacing.send(15)
        #expect(pacing.due(at: start + .milliseconds(20)) == 5)
        #expect(pacing.due(at: start + .seconds(10)) == 9_985)
        #expect(Pacing(bytesPerSecond: 2, start: start).interval == .milliseconds(500))
        #expect(Pacing(bytesPerSecond: .max, start: start).due(at: start + .seconds(9)) == .max)
    }

    @Test("A chunked answer has no length, and all bytes")
    func chunked() async throws {
        let fetched = try await Fetched.get(root + "/chunked/3000000")
        #expect(fetched.headers["transfer-encoding"] == "chunked")
        #expect(fetched.headers["content-length"] == nil)
        #expect(fetched.body == Pattern(size: 3_000_000).bytes(in: 0..<3_000_000))
        #expect(try await Fetched.get(root + "/chunked/0").body.isEmpty)
        let head = try await Fetched.get(root + "/chunked/10", "-I")
        #expect(head.headers["transfer-encoding"] == "chunked")
        #expect(head.headers["content-length"] == nil)
    }

    @Test("To an HTTP/1.0 client the end of the connection is the end of what has no length")
    func oldClient() async throws {
        let fetched = try await Fetched.get(root + "/chunked/3000000", "--http1.0")
        #expect(fetched.headers["transfer-encoding"] == nil)
        #expect(fetched.body.count == 3_000_000)
    }

    @Test("An endless answer goes on until the client leaves")
    func endless() async throws {
        // curl 7.88 heeds --max-filesize only where a length is announced.
        let connection = RawConnection(port: server.port)
        connection.get("/endless")
        var count = 0
        while count < 20_000_000, case .bytes(let bytes) = connection.read() {
            count += bytes.count
        }
        #expect(count >= 20_000_000)
    }

    @Test("A silent route keeps the connection and says nothing; others are answered")
    func silent() async throws {
        let silent = RawConnection(port: server.port)
        silent.get("/silent")
        #expect(try await Fetched.get(root + "/file/3/a").status == 200)
        server.stop()
        #expect(silent.read() == .end)
    }
}
