import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("The recording delegate", .timeLimit(.minutes(1)))
struct RecordingDelegateTests {
    @Test("Whoever waits for the end hears of a conversation that broke the rules")
    func illegal() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let delegate = RecordingDelegate()
        let connection = try #require(
            NSURLConnection(
                request: URLRequest(url: url),
                delegate: nil,
                startImmediately: false
            )
        )
        delegate.connection(connection, didReceive: Data([1]))
        delegate.connection(connection, didFailWithError: URLError(.cancelled))
        delegate.connectionDidFinishLoading(connection)
        await #expect(throws: ConversationError.self) { try await delegate.ended() }
        #expect(throws: ConversationError.self) { try delegate.wait() }
        #expect(
            delegate.faults == ["data before a response", ".finished after the last message"]
        )
    }

    @Test("A legal conversation is waited for and says nothing")
    func legal() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let delegate = RecordingDelegate()
        let connection = NSURLConnection(
            request: server.request(),
            delegate: delegate,
            startImmediately: false
        )
        connection?.setDelivery(.onLoop)
        connection?.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
    }
}
