import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("What a download to a file costs in memory", .timeLimit(.minutes(1)))
struct DownloadMemoryTests {
    /// Where the file lies counts its bytes against nobody's memory but the disk's.
    @Test("However long the file is, no more waits for the disk than the settings say")
    func bounded() async throws {
        let size = 64 << 20
        let rig = try DownloadRig()
        let loop = rig.test.loop
        let most = Guarded(0)
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .sendPattern(size),
        ])
        let recorder = SizeRecorder {
            let waiting = Loader.of(loop).waitingBytes.now
            most.withLock { $0 = max($0, waiting) }
        }
        let connection = makeConnection(server.request(), recorder, loop: loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await recorder.ended.opened()
        #expect(recorder.size == size)
        #expect(most.withLock { $0 } <= loop.connectionSettings.waitingBytes + (16 << 10))
    }
}

/// A download delegate that looks at the size of the file alone.
private final class SizeRecorder: NSObject, NSURLConnectionDownloadDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.
    private(set) var size = 0
    let ended = Gate()
    private let onProgress: @Sendable () -> Void

    init(_ onProgress: @escaping @Sendable () -> Void) {
        self.onProgress = onProgress
    }

    func connection(
        _ connection: NSURLConnection,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {
        onProgress()
    }

    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: destinationURL.path)
        size = attributes?[.size] as? Int ?? 0
        ended.open()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        ended.open()
    }
}
