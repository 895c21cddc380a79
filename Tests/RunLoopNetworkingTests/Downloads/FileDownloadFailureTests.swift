import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Downloads that fail, and what they leave", .timeLimit(.minutes(1)), .serialized)
struct FileDownloadFailureTests {
    private let bench: DownloadBench
    private var folder: TemporaryFolder { bench.folder }

    init() throws {
        bench = try DownloadBench()
    }

    private func server(_ answers: String...) throws -> ScriptedServer {
        try ScriptedServer { _ in answers.map { [.waitForRequest, .send($0), .finish] } }
    }

    private func answer(_ status: Int, _ fields: String = "", body: String = "") -> String {
        "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }

    // MARK: - Trying again

    @Test(
        "Statuses that may be over by themselves are tried again, and what came is kept meanwhile"
    )
    func retry() async throws {
        let server = try server(
            FileDownloadTests.half,
            answer(503, "Retry-After: 0\r\n", body: "busy"),
            answer(429),
            FileDownloadTests.rest
        )
        let recorder = RecordingDownloadDelegate()
        let options = DownloadBench.options(tries: 5)
        #expect(
            try await bench.run(server, options: options, recorder) == [
                .response(200), .wrote(5, of: 10), .willRetry,
                .response(503), .willRetry, .response(429), .willRetry,
                .response(206), .resumed(5, of: 10), .wrote(10, of: 10), .finished("f"),
            ]
        )
        #expect(try folder.bytes("f") == Array("ABCDEFGHIJ".utf8))
        #expect(recorder.delays == [.zero, .zero, .zero])
    }

    @Test("The number of tries is bounded, and the last failure is told")
    func bounded() async throws {
        let server = try server(answer(500))
        let options = DownloadBench.options(tries: 3)
        #expect(
            try await bench.run(server, options: options) == [
                .response(500), .willRetry, .response(500), .willRetry, .response(500),
                .failed(.badServerResponse),
            ]
        )
        let isEmpty = try await Patience.until { try folder.names.isEmpty }
        #expect(isEmpty)
    }

    @Test("What can't be helped fails at once", arguments: [401, 403, 404, 410, 501])
    func lasting(status: Int) async throws {
        let server = try server(answer(status, body: "<html>"))
        let options = DownloadBench.options(tries: 3)
        let heard = try await bench.run(server, options: options)
        #expect(heard == [.response(status), .failed(Failure(status: status).code)])
        let isEmpty = try await Patience.until { try folder.names.isEmpty }
        #expect(isEmpty)
    }

    @Test("A retry can be paused and cancelled while it is waited for")
    func pauseBetweenTries() async throws {
        let server = try server(answer(503, "Retry-After: 300\r\n"), FileDownloadTests.ten)
        let recorder = RecordingDownloadDelegate { message, download in
            if message == .willRetry { download.pause() }
        }
        let download = bench.download(server, options: DownloadBench.options(tries: 2), recorder)
        download.start()
        #expect(try await recorder.paused() == [.response(503), .willRetry, .paused])
        #expect(recorder.delays == [.seconds(300)])
        download.resume()
        #expect(try await recorder.ended().last == .finished("f"))
    }

    @Test("A host that refuses is no reason to wait, unless that is asked for")
    func refused() async throws {
        let server = try server(FileDownloadTests.ten)
        server.stop()
        let once = try await bench.run(server, options: DownloadBench.options(tries: 2))
        #expect(once == [.failed(.cannotConnectToHost)])
        let options = DownloadBench.options(tries: 2) {
            $0.retryPolicy.retriesUnreachableHosts = true
        }
        let twice = try await bench.run(server, options: options)
        #expect(twice == [.willRetry, .failed(.cannotConnectToHost)])
    }

    // MARK: - Disks

    @Test("A file beyond the limit of the process fails before it is loaded; nothing is left")
    func tooLongForProcess() async throws {
        let server = try ScriptedServer([
            .waitForRequest,
            .send("HTTP/1.1 200 OK\r\nContent-Length: 8388608\r\n\r\n"), .hold,
        ])
        try await LimitedFileSize.run(bytes: 1 << 20) { () async throws in
            let recorder = RecordingDownloadDelegate()
            let heard = try await bench.run(server, recorder)
            #expect(heard == [.response(200), .failed(.cannotWriteToFile)])
            let cause = (recorder.error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? NSError
            #expect(cause?.code == Int(EFBIG))
        }
        try await server.closedByClient(connections: 1)
        let isEmpty = try await Patience.until { try folder.names.isEmpty }
        #expect(isEmpty)
    }

    @Test(
        "A disk that is full fails the download, stops the transfer, and goes on when there is room"
    )
    func full() async throws {
        let body = [UInt8](repeating: 7, count: 2 << 20)
        // No length is announced, so that the end of the room comes as a surprise.
        let server = try ScriptedServer(
            [
                .waitForRequest,
                .send(
                    Array("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nConnection: close\r\n\r\n".utf8)
                        + body
                ),
                .hold,
            ],
            [
                .waitForRequest,
                .send(
                    Array(
                        ("HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Length: 1048576\r\n"
                            + "Content-Range: bytes 1048576-2097151/2097152\r\n\r\n").utf8
                    ) + body[..<(1 << 20)]
                ),
            ]
        )
        let options = DownloadBench.options {
            $0.blockSize = 64 << 10
            $0.syncInterval = 64 << 10
        }
        try await LimitedFileSize.run(bytes: 1 << 20) { () async throws in
            let heard = try await bench.run(server, options: options)
            #expect(heard.last == .failed(.cannotWriteToFile))
        }
        try await server.closedByClient(connections: 1)
        #expect(try folder.names == ["f.part", "f.part.state"])
        let heard = try await bench.run(server, options: options)
        #expect(heard.last == .finished("f"))
        #expect(try folder.bytes("f") == body)
        let range = try #require(server.requests.last?["Range"])
        #expect(range == "bytes=1048576-")
    }

    @Test("A full device is written to, fails, and stays")
    func fullDevice() async throws {
        let server = try server(FileDownloadTests.ten)
        let heard = try await bench.run(server, to: "/dev/full")
        #expect(heard == [.response(200), .wrote(10, of: 10), .failed(.cannotWriteToFile)])
        #expect(try FileStatus("/dev/full").kind == FileStatus.device)
    }

    @Test(
        "A device of a test's own takes the bytes and stays a device; so does what a link leads to"
    )
    func device() async throws {
        try DeviceNode.makeNull(folder.path("null"))
        let before = try FileStatus(folder.path("null"))
        // Devices are told by their own names, whatever leads to them.
        let name = "null"
        let options = DownloadBench.options { $0.replacesExisting = true }
        for options in [DownloadBench.options(), options] {
            let heard = try await bench.run(
                try server(FileDownloadTests.ten),
                to: "null",
                options: options
            )
            #expect(heard == [.response(200), .wrote(10, of: 10), .finished(name)])
        }
        #expect(try FileStatus(folder.path("null")) == before)
        #expect(try folder.names == ["null"])
    }

    @Test("A pipe hands the bytes to whoever reads it, and stays one")
    func pipe() async throws {
        let reader = try NamedPipe(folder.path("pipe"))
        let heard = try await bench.run(try server(FileDownloadTests.ten), to: "pipe")
        #expect(heard == [.response(200), .wrote(10, of: 10), .finished("pipe")])
        #expect(reader.read(count: 10) == Array("ABCDEFGHIJ".utf8))
        reader.close()
        #expect(try FileStatus(folder.path("pipe")).kind == FileStatus.pipe)
        #expect(try folder.names == ["pipe"])
    }

    @Test("A link stays one: what it leads to is the file")
    func link() async throws {
        try folder.write("old", to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"),
            withDestinationPath: "target"
        )
        let server = try server(FileDownloadTests.ten)
        let kept = try await bench.run(server, to: "link")
        #expect(kept == [.failed(.cannotCreateFile)])
        let options = DownloadBench.options { $0.replacesExisting = true }
        let heard = try await bench.run(server, to: "link", options: options)
        #expect(heard.last == .finished("target"))
        #expect(try FileStatus(folder.path("link")).kind == FileStatus.link)
        #expect(try folder.bytes("target") == Array("ABCDEFGHIJ".utf8))
        #expect(try folder.names == ["link", "target"])
    }

    @Test("A folder that is not there fails, and no request is sent")
    func noFolder() async throws {
        let server = try server(FileDownloadTests.ten)
        #expect(try await bench.run(server, to: "no/f") == [.failed(.cannotCreateFile)])
        #expect(server.connectionCount == 0)
    }

    // MARK: - Limits

    @Test("A file that is too long fails, by what is announced and by what comes")
    func tooLong() async throws {
        let options = DownloadBench.options { $0.maximumLength = 9 }
        let announced = try await bench.run(try server(FileDownloadTests.ten), options: options)
        #expect(announced == [.response(200), .failed(.dataLengthExceedsMaximum)])
        let unannounced = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nABCDEFGHIJ"
        let heard = try await bench.run(try server(unannounced), options: options)
        #expect(heard == [.response(200), .failed(.dataLengthExceedsMaximum)])
        let isEmpty = try await Patience.until { try folder.names.isEmpty }
        #expect(isEmpty)
    }

    @Test("A download with a limit of bytes per second is held back, and comes to its end")
    func rate() async throws {
        let options = DownloadBench.options { $0.bytesPerSecond = 1 << 20 }
        let body = String(repeating: "x", count: 300_000)
        let heard = try await bench.run(try server(answer(200, body: body)), options: options)
        #expect(heard == [.response(200), .wrote(300_000, of: 300_000), .finished("f")])
        #expect(try folder.bytes("f").count == 300_000)
    }

    @Test("Two downloads to one place: the second is refused, the first goes on")
    func twice() async throws {
        let more = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send(FileDownloadTests.half), .waitFor(more), .send("FGHIJ"),
        ])
        let hasFirst = Gate()
        let first = RecordingDownloadDelegate { message, _ in
            if message == .wrote(5, of: 10) { hasFirst.open() }
        }
        bench.download(server, first).start()
        try await hasFirst.opened()
        #expect(try await bench.run(server) == [.failed(.cannotOpenFile)])
        more.open()
        #expect(try await first.ended().last == .finished("f"))
        #expect(try folder.bytes("f") == Array("ABCDEFGHIJ".utf8))
    }

    @Test("A part that is asked for is a file of its own, and is not taken for the whole later")
    func wantedPart() async throws {
        let part =
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2-4/10\r\nContent-Length: 3\r\n"
            + "ETag: \"v1\"\r\n\r\nCDE"
        let server = try server(part, FileDownloadTests.ten)
        var request = server.request("/f")
        request.byteRanges = ByteRangeSet("2-4")
        let heard = try await bench.run(server, request: request, to: "part")
        #expect(heard == [.response(206), .wrote(3, of: 3), .finished("part")])
        #expect(try folder.bytes("part") == Array("CDE".utf8))
        #expect(server.requests.map { $0["Range"] } == ["bytes=2-4"])
    }
}
