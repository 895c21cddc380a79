import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("The last message", .timeLimit(.minutes(1)))
struct TerminalMessageTests {
    @Test(
        "Exactly one last message comes, however the load ends",
        arguments: [
            ([.respond(200, body: "abc")], [.response(200), .data(3), .finished]),
            ([.respond(404)], [.response(404), .finished]),
            ([.finish], [.failed(.networkConnectionLost)]),
            ([.reset], [.failed(.networkConnectionLost)]),
            (
                [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .finish],
                [.response(200), .data(3), .failed(.networkConnectionLost)]
            ),
            (
                [.send("HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\n\r\n"), .finish],
                [.failed(.cannotConnectToHost)]
            ),
        ] as [([ScriptStep], [TranscriptMessage])]
    )
    func once(answer: [ScriptStep], transcript: [TranscriptMessage]) async throws {
        let server = try ScriptedServer([.waitForRequest] + answer)
        let delegate = RecordingDelegate()
        let queue = OperationQueue()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queue)
        connection.start()
        try await delegate.ended()
        server.stop()
        try await onThread { try turnLoopByLoading() }
        try await waitForQueue(queue)
        #expect(delegate.transcript == transcript)
        #expect(delegate.faults.isEmpty)
    }

    @Test("Hundreds of loads at once each end once")
    func many() async throws {
        let server = try ScriptedServer([.forever([.waitForRequest, .respond(200, body: "abc")])])
        let delegates = (0..<300).map { _ in RecordingDelegate() }
        let queue = OperationQueue()
        for delegate in delegates {
            let connection = makeConnection(server.request(), delegate)
            connection.setDelegateQueue(queue)
            connection.start()
        }
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(3), .finished])
            #expect(delegate.faults.isEmpty)
        }
        #expect(server.connectionCount <= 6)
    }
}
