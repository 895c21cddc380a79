import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: bodies that end too early", .timeLimit(.minutes(1)))
struct ShortBodyTests {
    // B001
    @Test(
        "A connection that dies before the announced length makes a failure",
        arguments: Ending.allCases
    )
    func b001DiesBeforeItsLength(ending: Ending) async throws {
        try await withBench { bench in
            let heard = Gate()
            let delegate = RecordingDelegate.opening(heard, after: 4)
            try await bench.load(
                [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCD")] + ending.after(heard),
                delegate
            )
            #expect(
                delegate.transcript
                    == [.response(200), .data(4), .failed(.networkConnectionLost)]
            )
            #expect(delegate.response?.expectedContentLength == 10)
            #expect(delegate.body == Data("ABCD".utf8))
        }
    }

    // B002: cut behind a chunk, inside a chunk, and inside the last chunk. The product fails in the
    // last case as well.
    @Test(
        "A chunked body without its last chunk makes a failure",
        arguments: [("5\r\nHELLO\r\n", 5), ("5\r\nHEL", 3), ("5\r\nHELLO\r\n0\r\n", 5)],
        Ending.allCases
    )
    func b002LastChunkIsMissing(body: (chunks: String, count: Int), ending: Ending) async throws {
        try await withBench { bench in
            let heard = Gate()
            let delegate = RecordingDelegate.opening(heard, after: body.count)
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await bench.load([.send(head + body.chunks)] + ending.after(heard), delegate)
            #expect(
                delegate.transcript
                    == [.response(200), .data(body.count), .failed(.networkConnectionLost)]
            )
            #expect(delegate.response?.expectedContentLength == -1)
            #expect(delegate.body == Data("HELLO".utf8.prefix(body.count)))
        }
    }

    // B013
    @Test(
        "A body without a length ends well with the connection, and badly with a reset",
        arguments: [
            "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n",
        ],
        Ending.allCases
    )
    func b013RunsUntilTheClose(head: String, ending: Ending) async throws {
        try await withBench { bench in
            let heard = Gate()
            let delegate = RecordingDelegate.opening(heard, after: 13)
            try await bench.load([.send(head + "until the end")] + ending.after(heard), delegate)
            let last: TranscriptMessage =
                ending == .orderly ? .finished : .failed(.networkConnectionLost)
            #expect(delegate.transcript == [.response(200), .data(13), last])
            #expect(delegate.response?.expectedContentLength == -1)
            #expect(delegate.body == Data("until the end".utf8))
        }
    }
}
