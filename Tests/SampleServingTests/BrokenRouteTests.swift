import Testing

@testable import SampleServing

@Suite("Broken answers", .timeLimit(.minutes(1)))
struct BrokenRouteTests {
    private let server: SampleServer
    private let root: String

    init() throws {
        server = try SampleServer()
        root = server.start().absoluteString
    }

    @Test("A reset comes after the bytes that were to be sent", arguments: [0, 1, 5_000_000])
    func reset(count: Int) throws {
        let connection = RawConnection(port: server.port)
        connection.get("/reset/6MB/\(count)")
        var bytes: [UInt8] = []
        var end = RawConnection.Piece.end
        loop: while true {
            switch connection.read() {
            case .bytes(let more): bytes += more
            case let other:
                end = other
                break loop
            }
        }
        let head = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        let fields = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
        #expect(fields.contains("Content-Length: 6000000"))
        #expect(bytes.count - head.upperBound == count)
        #expect(end == RawConnection.connectionReset)
    }

    @Test("curl calls a reset a receive error, and a short answer a partial file")
    func curlErrors() async throws {
        let reset = try await Fetched.get(root + "/reset/1MB/300000")
        #expect(reset.exit == 56)
        #expect(reset.body == Pattern(size: 300_000).bytes(in: 0..<300_000))
        let short = try await Fetched.get(root + "/short/1MB/300000")
        #expect(short.exit == 18)
        #expect(short.headers["content-length"] == "1000000")
        #expect(short.body == Pattern(size: 300_000).bytes(in: 0..<300_000))
    }

    @Test("A short answer ends in order", arguments: [0, 70_000])
    func short(count: Int) {
        let connection = RawConnection(port: server.port)
        connection.get("/short/100kB/\(count)")
        let (received, end) = connection.readToEnd()
        #expect(end == .end)
        #expect(received > count && received < count + 1_000)
    }

    @Test("A long answer sends more than it announces, then ends in order")
    func long() async throws {
        let connection = RawConnection(port: server.port)
        connection.get("/long/10/2000")
        let (received, end) = connection.readToEnd()
        #expect(end == .end)
        #expect(received > 2_000)
        let fetched = try await Fetched.get(root + "/long/10/2000")
        #expect(fetched.headers["content-length"] == "10")
        #expect(fetched.body.count == 10)
    }

    @Test("A client that resumes reaches the end of a file whose answers all break")
    func resume() async throws {
        let file = try TemporaryFile()
        var exits: [Int32] = []
        for _ in 0..<4 {
            let arguments = ["-sS", "-C", "-", "-o", file.url.path, root + "/short/1000kB/300kB"]
            exits.append(try await Program.run("curl", arguments).status)
        }
        #expect(exits == [18, 18, 18, 0])
        #expect(Array(try file.contents()) == Pattern(size: 1_000_000).bytes(in: 0..<1_000_000))
    }
}
