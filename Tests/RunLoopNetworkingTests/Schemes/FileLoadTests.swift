import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Loads of file: URLs", .timeLimit(.minutes(1)))
struct FileLoadTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var fileURL: URL { folder.url("f") }

    private func request(_ name: String) -> URLRequest {
        URLRequest(url: folder.url(name))
    }

    @Test(
        "A file comes whole, with its type, length and name",
        arguments: [1, 16 << 10, 100_000, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 3_000_000]
    )
    func whole(size: Int) async throws {
        let bytes = Data(CounterPattern.bytes(count: size))
        try folder.write(bytes, to: "a b.txt")
        let test = TestLoop()
        let delegate = try await load(request("a b.txt"), loop: test.loop)
        #expect(delegate.transcript == [.response(0), .data(size), .finished])
        #expect(delegate.body == bytes)
        let response = try #require(delegate.responses.first)
        #expect(!(response is HTTPURLResponse))
        #expect(response.mimeType == "text/plain")
        #expect(response.textEncodingName == nil)
        #expect(response.expectedContentLength == Int64(size))
        #expect(response.suggestedFilename == "a b.txt")
        #expect(Loader.of(test.loop).waitingBytes.now == 0)
    }

    @Test("An empty file makes no data message")
    func empty() async throws {
        try folder.write(Data(), to: "empty")
        let delegate = try await load(request("empty"))
        #expect(delegate.transcript == [.response(0), .finished])
        #expect(delegate.responses.first?.expectedContentLength == 0)
        #expect(delegate.responses.first?.mimeType == "application/octet-stream")
    }

    @Test("A query and a fragment say nothing about the file")
    func query() async throws {
        try folder.write(Data("abc".utf8), to: "f")
        let url = try #require(URL(string: fileURL.absoluteString + "?a=b#c"))
        let delegate = try await load(URLRequest(url: url))
        #expect(delegate.transcript == [.response(0), .data(3), .finished])
    }

    @Test("A file that is not there, a directory and one that may not be read fail")
    func failures() async throws {
        let missing = try await load(request("missing"))
        #expect(missing.transcript == [.failed(.fileDoesNotExist)])
        #expect(missing.urlError?.failingURL == request("missing").url)
        let directory = try await load(URLRequest(url: folder.url()))
        #expect(directory.transcript == [.failed(.fileIsDirectory)])
        let secret = try await load(URLRequest(url: folder.unreadableFile()))
        #expect(secret.transcript == [.failed(.noPermissionsToReadFile)])
    }

    @Test("A pipe and a device are refused, and nobody waits for them")
    func special() async throws {
        #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        let pipe = try await load(request("pipe"))
        #expect(pipe.transcript == [.failed(.cannotOpenFile)])
        let device = try await load(URLRequest(url: URL(fileURLWithPath: "/dev/zero")))
        #expect(device.transcript == [.failed(.cannotOpenFile)])
    }

    @Test("A file that shrinks while it is read is told as far as it goes, and fails")
    func shrinking() async throws {
        let size = 4_000_000
        try folder.write(Data(CounterPattern.bytes(count: size)), to: "f")
        let handle = try FileHandle(forUpdating: fileURL)
        let rest = 3_000_000
        let delegate = RecordingDelegate { message, _ in
            // At most 1 MiB has been read when the first message is told.
            if message == .response(0) { try? handle.truncate(atOffset: UInt64(rest)) }
        }
        let connection = makeConnection(request("f"), delegate)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.ended()
        #expect(
            delegate.transcript == [.response(0), .data(rest), .failed(.networkConnectionLost)]
        )
    }

    @Test("A file that grows while it is read is read to its end")
    func growing() async throws {
        let size = 4_000_000
        try folder.write(Data(CounterPattern.bytes(count: size)), to: "f")
        let handle = try FileHandle(forUpdating: fileURL)
        let delegate = RecordingDelegate { message, _ in
            guard message == .response(0) else { return }
            _ = try? handle.seekToEnd()
            try? handle.write(contentsOf: Data("more".utf8))
        }
        let connection = makeConnection(request("f"), delegate)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(0), .data(size + 4), .finished])
        #expect(delegate.responses.first?.expectedContentLength == Int64(size))
    }

    @Test("No more of a file waits for a slow delegate than the settings say")
    func backPressure() async throws {
        let size = 6_000_000
        try folder.write(Data(count: size), to: "f")
        let test = TestLoop()
        let most = Guarded(0)
        let delegate = RecordingDelegate(keepsBody: false) { _, _ in
            // What would be read without a bound has been read by now.
            try? turnLoopByLoading(test.loop)
            let waiting = Loader.of(test.loop).waitingBytes.now
            most.withLock { $0 = max($0, waiting) }
        }
        let connection = makeConnection(request("f"), delegate, loop: test.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(0), .data(size), .finished])
        #expect(most.withLock { $0 } <= test.loop.connectionSettings.waitingBytes + 1)
    }

    @Test("After a cancel nothing is heard, and the file is closed")
    func cancel() async throws {
        try folder.write(Data(count: 6_000_000), to: "f")
        let cancelled = Gate()
        let delegate = RecordingDelegate { message, connection in
            guard case .data = message else { return }
            connection.cancel()
            cancelled.open()
        }
        let connection = makeConnection(request("f"), delegate)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await cancelled.opened()
        try await load(request("f"))
        let heard = delegate.messages.count
        #expect(heard == 2)
        #expect(!delegate.hasEnded)
    }

    @Test("A loop that is shut down ends the load")
    func shutDown() async throws {
        try folder.write(Data(count: 6_000_000), to: "f")
        let test = TestLoop()
        let reached = Gate()
        let goOn = Gate()
        let delegate = RecordingDelegate { message, _ in
            guard message == .response(0) else { return }
            reached.open()
            try? goOn.wait()
        }
        let connection = makeConnection(request("f"), delegate, loop: test.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await reached.opened()
        test.loop.shutDown()
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript.last == .failed(.cancelled))
    }

    @Test("A server can't redirect to a file")
    func redirect() async throws {
        try folder.write(Data("secret".utf8), to: "f")
        let location = "Location: \(fileURL.absoluteString)"
        let server = try ScriptedServer([.waitForRequest, .respond(302, [location])])
        #expect(try await load(server.request()).transcript == [.failed(.unsupportedURL)])
    }
}
