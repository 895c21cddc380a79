import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: slow delegates", .timeLimit(.minutes(1)))
struct BackPressureTests {
    /// What the kernel's buffers of both sides and the connection's mailbox may hold together.
    private static let bound = 9 << 20

    // B109, and B110 with the pause behind the first MiB.
    private func check(blockingAfter limit: Int, size: Int, announced: Int) async throws {
        try await withBench { bench in
            let (stalled, goOn) = (Gate(), Gate())
            let server = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(announced)\r\n\r\n"),
                .sendPattern(size, stalled: stalled), .finish,
            ])
            let mark = Watermark(limit)
            let delegate = RecordingDelegate { message, _ in
                if case .data(let count) = message, mark.isReached(adding: count) {
                    try? goOn.wait()
                }
            }
            bench.start(server.request("/f"), delegate)
            try await stalled.opened()
            let messages = delegate.messages.count
            // Others are not held back.
            for _ in 0..<10 { try await bench.turnLoop() }
            #expect(server.sentBytes() - limit < Self.bound)
            #expect(delegate.messages.count == messages)
            goOn.open()
            try await delegate.ended()
            let last: TranscriptMessage =
                size == announced ? .finished : .failed(.networkConnectionLost)
            #expect(delegate.transcript == [.response(200), .data(size), last])
            #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        }
    }

    // B109: 1 GiB is announced, and 24 MiB are enough to see that nothing piles up.
    @Test("A delegate that takes its time holds the server back, and gets every byte")
    func b109SlowDelegate() async throws {
        try await check(blockingAfter: 1, size: 24 << 20, announced: 1 << 30)
        try await check(blockingAfter: 1, size: 24 << 20, announced: 24 << 20)
    }

    // B110
    @Test("While a delegate pauses behind the first MiB the server is held back, then all comes")
    func b110PausedTransfer() async throws {
        try await check(blockingAfter: 1 << 20, size: 24 << 20, announced: 24 << 20)
    }

    // B111
    @Test("A coded body may be paused again and again, though one read decodes to a great deal")
    func b111PausedCodedBody() async throws {
        let size = 200_000_000
        let coded = try await Gzip.zeros(count: size)
        try await withBench { bench in
            let server = try bench.serve([
                .waitForRequest,
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                        + "Content-Length: \(coded.count)\r\n\r\n"
                ),
                .send(coded), .hold,
            ])
            let (paused, goOn) = ((0..<20).map { _ in Gate() }, (0..<20).map { _ in Gate() })
            let marks = (0..<20).map { Watermark(1 + $0 * 10_000_000) }
            let delegate = RecordingDelegate(keepsBody: false) { message, _ in
                guard case .data(let count) = message else { return }
                for (index, mark) in marks.enumerated() where mark.isReached(adding: count) {
                    paused[index].open()
                    try? goOn[index].wait()
                }
            }
            bench.start(server.request("/f"), delegate)
            for index in paused.indices {
                try await paused[index].opened()
                let messages = delegate.messages.count
                try await bench.turnLoop()
                #expect(delegate.messages.count == messages)
                goOn[index].open()
            }
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(size), .finished])
        }
    }
}
