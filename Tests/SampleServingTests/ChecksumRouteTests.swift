import Testing

@testable import SampleServing

@Suite("Checksums", .timeLimit(.minutes(1)))
struct ChecksumRouteTests {
    private let server: SampleServer
    private let root: String

    init() throws {
        server = try SampleServer()
        root = server.start().absoluteString
    }

    @Test(
        "The checksum is the line that sha256sum writes of the downloaded file",
        arguments: ["0", "1", "8", "1MiB", "33554433"]
    )
    func checksum(size: String) async throws {
        let file = try TemporaryFile()
        let arguments = ["-sS", "-o", file.url.path, root + "/file/\(size)/a"]
        let download = try await Program.run("curl", arguments)
        #expect(download.status == 0)
        let sum = try await Program.run("sha256sum", [file.url.path])
        let digest = String(decoding: sum.output, as: UTF8.self).prefix(64)
        let computed = try await Fetched.get(root + "/checksum/\(size)/a.bin")
        #expect(computed.text == "\(digest)  a.bin\n")
        let remembered = try await Fetched.get(root + "/checksum/\(size)")
        #expect(remembered.text == "\(digest)  -\n")
    }

    @Test("A checksum that takes hours keeps nobody waiting, and ends with its reader")
    func background() async throws {
        let reader = RawConnection(port: server.port)
        reader.get("/checksum/8TiB")
        #expect(try await Fetched.get(root + "/file/3/a").body.count == 3)
        #expect(try await Fetched.get(root + "/checksum/3").body.count == 68)
        server.stop()
        #expect(reader.read() == .end)
    }

    @Test("What nobody waits for any more is given up")
    func withdrawal() async {
        var desk: ChecksumDesk? = ChecksumDesk()
        weak let computing = desk
        desk?.digest(ofSize: 1 << 50, for: 0) { _ in Issue.record("hashed a PiB that fast?") }
        desk?.withdraw(0)
        desk = nil
        // The computation keeps the desk until it ends.
        let deadline = ContinuousClock.now + .seconds(20)
        while computing != nil, ContinuousClock.now < deadline { await Task.yield() }
        #expect(computing == nil)
    }

    @Test("A digest reaches all who wait for it")
    func desk() async {
        let desk = ChecksumDesk()
        let digests = await withTaskGroup(of: String.self) { group in
            for reader in 1...4 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        desk.digest(ofSize: 0, for: reader) {
                            continuation.resume(returning: $0.description)
                        }
                    }
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(
            digests == ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"]
        )
    }
}
