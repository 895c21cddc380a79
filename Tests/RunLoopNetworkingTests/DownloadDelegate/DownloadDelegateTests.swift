import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Download delegates", .timeLimit(.minutes(1)))
struct DownloadDelegateTests {
    private let rig: DownloadRig

    init() throws {
        rig = try DownloadRig()
    }

    @Test("The body is in a file during the last message, and nowhere afterwards")
    func whole() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines == ["wrote 3 of 3", "finished"])
        #expect(recorder.text == "abc")
        #expect(recorder.permissions == 0o600)
        let folder = recorder.url?.deletingLastPathComponent().path
        #expect(folder == rig.folder.path)
        #expect(try await rig.isEmptySoon())
        #expect(server.requests.first?["Accept-Encoding"] == "identity")
    }

    @Test("Of an unknown length nothing is expected")
    func unknownLength() async throws {
        let server = try ScriptedServer([
            .waitForRequest,
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        ])
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines == ["wrote 3 of 0", "finished"])
        #expect(recorder.text == "abc")
    }

    @Test("An empty body is an empty file, and an error page is a file as well")
    func others() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(200), .waitForRequest, .respond(404, body: "nothing"),
        ])
        let empty = try await rig.load(server.request())
        #expect(empty.lines == ["finished"])
        #expect(empty.content == Data())
        let missing = try await rig.load(server.request())
        #expect(missing.lines == ["wrote 7 of 7", "finished"])
        #expect(missing.text == "nothing")
        #expect(try await rig.isEmptySoon())
    }

    @Test("The answer to HEAD is an empty file, whatever length it announces")
    func head() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"),
        ])
        let recorder = try await rig.load(server.request(method: "HEAD"))
        #expect(recorder.lines == ["finished"])
        #expect(recorder.content == Data())
    }

    @Test("A delegate of both kinds hears the response, and nothing else of the data kind")
    func both() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let recorder = try await rig.load(server.request(), DownloadAndDataRecorder())
        #expect(recorder.lines == ["response 200", "wrote 3 of 3", "finished"])
    }

    @Test("A file that is moved away in the last message stays")
    func moved() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let target = rig.folder.path("mine")
        let recorder = DownloadRecorder { _, url in
            guard let url else { return }
            try? FileManager.default.moveItem(atPath: url.path, toPath: target)
        }
        try await rig.load(server.request(), recorder)
        try turnLoopByLoading(rig.test.loop)
        #expect(try rig.folder.names == ["mine"])
        #expect(try rig.folder.bytes("mine") == Array("abc".utf8))
    }

    @Test("A redirect is followed, and only the last answer is written")
    func redirect() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: /b"], body: "moved"),
            .waitForRequest, .respond(200, body: "abc"),
        ])
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines == ["wrote 3 of 3", "finished"])
        #expect(recorder.text == "abc")
    }

    @Test("A large file comes whole, and its progress never falls")
    func large() async throws {
        let size = 24 << 20
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .sendPattern(size),
        ])
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines == ["wrote \(size) of \(size)", "finished"])
        #expect(recorder.progress == recorder.progress.sorted())
        #expect(recorder.progress.count > 1)
        #expect(!recorder.isWrong)
        let content = try #require(recorder.content)
        #expect(CounterPattern.firstDifference(in: content) == nil)
    }

    @Test("While the delegate is at work the file goes on, and one message tells of all of it")
    func slowDelegate() async throws {
        let size = 8 << 20
        let goOn = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .sendPattern(1 << 20), .waitFor(goOn), .sendPattern(size - (1 << 20), from: 1 << 20),
            .open(goOn), .waitForRequest,
        ])
        let recorder = DownloadRecorder { line, _ in
            guard line.hasPrefix("wrote"), !goOn.isOpen else { return }
            goOn.open()
            // The rest is written while this message is told.
            let deadline = ContinuousClock.now + .seconds(20)
            while server.sentBytes() < size, ContinuousClock.now < deadline {}
            try? turnLoopByLoading()
        }
        try await rig.load(server.request(), recorder)
        #expect(recorder.lines == ["wrote \(size) of \(size)", "finished"])
        #expect(recorder.progress.count < 20)
        #expect(!recorder.isWrong)
    }

    // B147
    @Test("Failed and cancelled downloads leave nothing behind")
    func nothingLeft() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
        let server = try ScriptedServer([
            .waitForRequest, .send(head), .sendPattern(500_000), .finish,
        ])
        for _ in 0..<20 {
            let recorder = try await rig.load(server.request())
            #expect(recorder.lines.last == "failed -1005")
        }
        let holding = try ScriptedServer([.waitForRequest, .send(head), .sendPattern(500_000)])
        for _ in 0..<20 {
            let recorder = DownloadRecorder()
            let connection = rig.start(holding.request(), recorder)
            try await recorder.began.opened()
            #expect(try rig.folder.names.count >= 1)
            connection.cancel()
        }
        #expect(try await rig.isEmptySoon())
    }

    @Test("Cancelled between the end and the last message, it leaves nothing behind")
    func cancelledAtEnd() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let recorder = DownloadRecorder()
        let connection = makeConnection(server.request(), recorder, loop: rig.test.loop)
        let queue = OperationQueue()
        queue.isSuspended = true
        connection.setDelegateQueue(queue)
        connection.start()
        try await server.received(requests: 1)
        // The last message waits for the queue by then.
        try turnLoopByLoading(rig.test.loop)
        connection.cancel()
        queue.isSuspended = false
        try await waitForQueue(queue)
        #expect(recorder.lines == [])
        #expect(try await rig.isEmptySoon())
    }

    // B142
    @Test("A folder that is not there fails with a sentence")
    func missingFolder() async throws {
        rig.test.loop.connectionSettings.downloadDirectory = "/nowhere/at/all"
        let server = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "abc")])])
        let recorder = try await rig.load(server.request())
        #expect(recorder.lines == ["failed -3000"])
        #expect(recorder.error?.localizedDescription.contains("create the folder first") == true)
        #expect((recorder.error as? URLError)?.failingURL == server.url())
    }

    // B142
    @Test("A file that may not grow fails, and the transfer stops")
    func noRoom() async throws {
        let size = 64 << 20
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .sendPattern(size),
        ])
        let recorder = DownloadRecorder()
        try await LimitedFileSize.run(bytes: 1 << 20) { () async throws in
            try await rig.load(server.request(), recorder)
        }
        #expect(recorder.lines.last == "failed -3003")
        #expect(recorder.content == nil)
        try await server.closedByClient(connections: 1)
        #expect(server.sentBytes() < size)
        #expect(try await rig.isEmptySoon())
    }

    @Test("What the caller accepts is decoded, and its length is unknown")
    func ownCoding() async throws {
        let gzip: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 74, 6, 0, 194, 65, 36, 53, 3, 0, 0, 0,
        ]
        let server = try ScriptedServer([
            .waitForRequest,
            .send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n"
            ),
            .send(gzip),
        ])
        let request = server.request(fields: ["Accept-Encoding": "gzip"])
        let recorder = try await rig.load(request)
        #expect(recorder.lines == ["wrote 3 of 0", "finished"])
        #expect(recorder.text == "abc")
        #expect(server.requests.first?["Accept-Encoding"] == "gzip")
    }
}
