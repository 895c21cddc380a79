import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Loads by FTP", .timeLimit(.minutes(1)))
struct FTPLoadTests {
    private func url(_ server: ScriptedServer, _ path: String = "/f", user: String = "") throws
        -> URL
    {
        try #require(URL(string: "ftp://\(user)127.0.0.1:\(server.port)\(path)"))
    }

    private func load(
        _ dialogue: FTPDialogue,
        user: String = "",
        path: String = "/f"
    ) async throws -> RecordingDelegate {
        let (control, data) = try dialogue.start()
        // Its own loop: a control connection that is kept waits for another file.
        let test = TestLoop()
        let request = URLRequest(url: try url(control, path, user: user))
        let delegate = try await RunLoopNetworkingTests.load(request, loop: test.loop)
        withExtendedLifetime(data) {}
        return delegate
    }

    @Test("A file comes whole, with its length and name")
    func whole() async throws {
        let delegate = try await load(FTPDialogue())
        #expect(delegate.transcript == [.response(0), .data(5), .finished])
        #expect(delegate.body == Data("HELLO".utf8))
        let response = try #require(delegate.responses.first)
        #expect(!(response is HTTPURLResponse))
        #expect(response.expectedContentLength == 5)
        #expect(response.mimeType == "application/octet-stream")
        #expect(response.suggestedFilename == "f")
    }

    @Test("The type of the transfer in the URL is no part of the name")
    func type() async throws {
        let delegate = try await load(FTPDialogue(), path: "/f;type=i")
        #expect(delegate.transcript == [.response(0), .data(5), .finished])
        #expect(delegate.responses.first?.suggestedFilename == "f")
    }

    @Test("An empty file makes no data message")
    func empty() async throws {
        let delegate = try await load(FTPDialogue(size: "213 0", data: [.finish]))
        #expect(delegate.transcript == [.response(0), .finished])
        #expect(delegate.responses.first?.expectedContentLength == 0)
    }

    @Test("A server that tells no size is believed when it says that the file was whole")
    func noSize() async throws {
        let delegate = try await load(FTPDialogue(size: "500 what"))
        #expect(delegate.transcript == [.response(0), .data(5), .finished])
        #expect(delegate.responses.first?.expectedContentLength == -1)
    }

    private struct Cut: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let dialogue: FTPDialogue
        var count = 5
    }

    private static let cuts = [
        Cut(
            testDescription: "fewer bytes than announced",
            dialogue: FTPDialogue(size: "213 6")
        ),
        Cut(
            testDescription: "fewer bytes, and the server says so",
            dialogue: FTPDialogue(size: "213 6", ending: "426 cut")
        ),
        Cut(
            testDescription: "426 behind all bytes",
            dialogue: FTPDialogue(ending: "426 cut")
        ),
        Cut(
            testDescription: "451 where the size is unknown",
            dialogue: FTPDialogue(size: "500 what", ending: "451 disk")
        ),
        Cut(
            testDescription: "the control connection ends before the answer",
            dialogue: FTPDialogue(ending: "150 wait", last: [.finish])
        ),
    ]

    @Test("A file that is cut is not called finished", arguments: cuts)
    private func cut(_ cut: Cut) async throws {
        let delegate = try await load(cut.dialogue)
        #expect(
            delegate.transcript == [
                .response(0), .data(cut.count), .failed(.networkConnectionLost),
            ]
        )
    }

    @Test("A data connection that is torn down is lost")
    func reset() async throws {
        // Not before the first bytes have been read: a reset throws away what waits.
        let heard = Gate()
        let dialogue = FTPDialogue(
            size: "213 6",
            ending: "426 cut",
            data: [.send("HELLO"), .waitFor(heard), .reset],
            beforeEnding: [.waitFor(heard)]
        )
        let (control, data) = try dialogue.start()
        let delegate = RecordingDelegate { message, _ in
            if case .data = message { heard.open() }
        }
        let connection = makeConnection(URLRequest(url: try url(control)), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended()
        #expect(
            delegate.transcript == [.response(0), .data(5), .failed(.networkConnectionLost)]
        )
        withExtendedLifetime(data) {}
    }

    @Test(
        "A refusal is told with the code that Apple has for it, and libcurl's",
        arguments: [
            (FTPDialogue(login: "530 no"), URLError.Code.userAuthenticationRequired, 67),
            (FTPDialogue(size: "550 none"), .fileDoesNotExist, 78),
            (FTPDialogue(size: "500 what", retrieval: "550 none"), .fileDoesNotExist, 78),
            (FTPDialogue(retrieval: "425 later"), .resourceUnavailable, 19),
            (FTPDialogue(greeting: "500 no"), .badServerResponse, 8),
        ]
    )
    func refused(dialogue: FTPDialogue, code: URLError.Code, curlCode: Int) async throws {
        let delegate = try await load(dialogue)
        #expect(delegate.transcript == [.failed(code)])
        let underlying = delegate.urlError?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.code == curlCode)
    }

    @Test("User and password of the URL are used, escapes removed")
    func credentials() async throws {
        // The script goes on only when so many bytes have come, and then waits for the next command.
        let dialogue = FTPDialogue(user: "a@b", password: "c:d e")
        let delegate = try await load(dialogue, user: "a%40b:c%3Ad%20e@")
        #expect(delegate.transcript == [.response(0), .data(5), .finished])
    }

    @Test("A server can't send us on to another machine for the data")
    func passiveAddress() async throws {
        let dialogue = FTPDialogue(epsv: "500 what", pasv: "227 go (10,255,255,1,PORT)")
        let delegate = try await load(dialogue)
        #expect(delegate.transcript == [.response(0), .data(5), .finished])
    }

    @Test("A server that falls silent runs into the idle time-out")
    func silent() async throws {
        let manual = ManualLoop()
        let test = TestLoop(manual)
        let reached = Gate()
        let control = try ScriptedServer([.send("220 ready\r\n"), .take(16), .open(reached), .hold])
        let delegate = RecordingDelegate()
        let connection = makeConnection(
            URLRequest(url: try url(control)),
            delegate,
            loop: test.loop
        )
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await reached.opened()
        manual.advance(by: .seconds(61))
        try await delegate.ended()
        #expect(delegate.transcript == [.failed(.timedOut)])
    }

    @Test("A slow delegate holds a long file back, which comes whole")
    func slow() async throws {
        let size = 5_000_000
        let dialogue = FTPDialogue(size: "213 \(size)", data: [.sendPattern(size), .finish])
        let (control, data) = try dialogue.start()
        let test = TestLoop()
        let most = Guarded(0)
        let delegate = RecordingDelegate { _, _ in
            try? turnLoopByLoading(test.loop)
            let waiting = Loader.of(test.loop).waitingBytes.now
            most.withLock { $0 = max($0, waiting) }
        }
        let connection = makeConnection(
            URLRequest(url: try url(control)),
            delegate,
            loop: test.loop
        )
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(0), .data(size), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        #expect(most.withLock { $0 } <= test.loop.connectionSettings.waitingBytes + 1)
        withExtendedLifetime(data) {}
    }

    @Test("A cancel ends both network connections")
    func cancel() async throws {
        let dialogue = FTPDialogue(
            // There is more to come: otherwise libcurl would wait for the server's last word.
            size: "213 200000",
            data: [.sendPattern(100_000), .hold],
            beforeEnding: [.hold]
        )
        let (control, data) = try dialogue.start()
        let delegate = RecordingDelegate(keepsBody: false) { message, connection in
            if case .data = message { connection.cancel() }
        }
        let connection = makeConnection(URLRequest(url: try url(control)), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await data.closedByClient(connections: 1)
        try await control.closedByClient(connections: 1)
        #expect(!delegate.hasEnded)
        #expect(delegate.messages.count == 2)
    }

    @Test(
        "What would be read as further commands is refused",
        arguments: [
            "ftp://h/a%0d%0aDELE%20b", "ftp://h/a%0Ab", "ftp://u%0d%0aX@h/f",
            "ftp://u:p%0aX@h/f", "ftp://h/a%00", "ftp:///f", "ftp://127.1/f",
        ]
    )
    func commands(text: String) async throws {
        let request = URLRequest(url: try #require(URL(string: text)))
        let delegate = try await RunLoopNetworkingTests.load(request)
        #expect(delegate.transcript == [.failed(.badURL)])
        #expect(!NSURLConnection.canHandle(request))
    }

    @Test(
        "A URL that ends in a slash asks for a folder",
        arguments: [
            ("ftp://h/f", false), ("ftp://h/", true), ("ftp://h", true), ("ftp://h/d/", true),
            ("ftp://h/d/;type=a", true), ("ftp://h/f;type=i", false),
        ]
    )
    func folder(text: String, isFolder: Bool) throws {
        let url = try #require(URL(string: text))
        #expect(try FTPURL(url).isFolder == isFolder)
        #expect(NSURLConnection.canHandle(URLRequest(url: url)))
    }
}
