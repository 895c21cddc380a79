import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Loads of data: URLs", .timeLimit(.minutes(1)))
struct DataLoadTests {
    private func request(_ text: String) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: text)))
    }

    @Test("The content is the answer, with its type, charset and length")
    func content() async throws {
        let delegate = try await load(request("data:text/html;charset=UTF-8;base64,PGI+SGk8L2I+"))
        #expect(delegate.transcript == [.response(0), .data(9), .finished])
        #expect(delegate.body == Data("<b>Hi</b>".utf8))
        let response = try #require(delegate.responses.first)
        #expect(!(response is HTTPURLResponse))
        #expect(response.mimeType == "text/html")
        #expect(response.textEncodingName == "UTF-8")
        #expect(response.expectedContentLength == 9)
        #expect(response.suggestedFilename == "unknown.html")
        #expect(response.url?.absoluteString == "data:text/html;charset=UTF-8;base64,PGI+SGk8L2I+")
    }

    @Test("An empty content makes no data message")
    func empty() async throws {
        let delegate = try await load(request("data:,"))
        #expect(delegate.transcript == [.response(0), .finished])
        #expect(delegate.responses.first?.expectedContentLength == 0)
        #expect(delegate.responses.first?.mimeType == "text/plain")
        #expect(delegate.responses.first?.textEncodingName == "US-ASCII")
    }

    @Test("What holds nothing fails", arguments: ["data:", "data:text/plain", "data:;base64,a"])
    func malformed(text: String) async throws {
        let request = try request(text)
        let delegate = try await load(request)
        #expect(delegate.transcript == [.failed(.badURL)])
        #expect(delegate.urlError?.failingURL == request.url)
        #expect(!NSURLConnection.canHandle(request))
    }

    @Test("A large content waits for a slow delegate, and comes whole")
    func large() async throws {
        let bytes = CounterPattern.bytes(count: 1_500_000)
        let test = TestLoop()
        let most = Guarded(0)
        let delegate = RecordingDelegate { _, _ in
            let waiting = Loader.of(test.loop).waitingBytes.now
            most.withLock { $0 = max($0, waiting) }
        }
        let connection = makeConnection(
            try request("data:;base64," + Data(bytes).base64EncodedString()),
            delegate,
            loop: test.loop
        )
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(0), .data(bytes.count), .finished])
        #expect(delegate.body == Data(bytes))
        let limit = test.loop.connectionSettings.waitingBytes
        #expect(most.withLock { $0 } <= limit)
        #expect(Loader.of(test.loop).waitingBytes.now == 0)
    }

    @Test("After a cancel inside the response nothing is heard")
    func cancel() async throws {
        let ended = Gate()
        let delegate = RecordingDelegate { _, connection in
            connection.cancel()
            ended.open()
        }
        let connection = makeConnection(try request("data:,abc"), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await ended.opened()
        try await load(request("data:,abc"))
        #expect(delegate.transcript == [.response(0)])
    }

    @Test("The delegate is asked before, and may ask for something else")
    func asked() async throws {
        let other = try request("data:,other")
        let delegate = AnsweringDelegate { _, _, _ in other }
        let connection = makeConnection(try request("data:,one"), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(delegate.body == Data("other".utf8))
        #expect(connection.currentRequest == other)
    }

    @Test("The convenience methods load it as well")
    func convenience() throws {
        var response: URLResponse?
        let data = try NSURLConnection.sendSynchronousRequest(
            request("data:text/csv,a%2Cb"),
            returning: &response
        )
        #expect(data == Data("a,b".utf8))
        #expect(response?.mimeType == "text/csv")
    }
}
