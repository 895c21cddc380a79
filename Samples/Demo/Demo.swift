// Demo: 700 MB from a server in a process of its own, through a delegate, into a file.
//
// Watch for: the progress, and the last line. The whole download happens on three threads: the loop
// reads from the network, the queue's thread tells the delegate, and the main thread waits.

import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

@main
enum Demo {
    static func main() {
        let server = ServerProcess()
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("RunLoopNetworking-\(UUID().uuidString)", isDirectory: true)
        let downloader = Downloader(folder: folder)
        let start = ContinuousClock.now

        let request = URLRequest(url: server.url.appendingPathComponent("1.mp4"))
        let connection = NSURLConnection(
            request: request,
            delegate: downloader,
            startImmediately: false
        )
        connection?.setDelegateQueue(OperationQueue())
        connection?.start()
        downloader.isDone.wait()

        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let bytes = downloader.received
        let path = downloader.path
        let verdict = downloader.failure ?? server.check(path, bytes: bytes)
        try? FileManager.default.removeItem(at: folder)
        print(
            "downloaded \(bytes) bytes in \(String(format: "%.2f", seconds)) s "
                + "(\(Int(Double(bytes) / seconds / 1_000_000)) MB/s), "
                + "peak resident \(PeakMemory.text), \(verdict)"
        )
        if verdict != "sha256 ok" { Terminal.fail("The download did not end well.") }
    }
}

/// Writes what comes to a file.
final class Downloader: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The delegate's messages come one at a time; main looks after `isDone`.
    let isDone = DispatchSemaphore(value: 0)
    let folder: URL
    var received: Int64 = 0
    var path = ""
    var failure: String?
    private var expected: Int64 = -1
    private var stream: OutputStream?
    private let progress = ProgressLine()

    init(folder: URL) {
        self.folder = folder
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        expected = response.expectedContentLength
        received = 0
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent(response.suggestedFilename ?? "download").path
        stream = OutputStream(toFileAtPath: path, append: false)
        stream?.open()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        guard stream?.write(data) == data.count else {
            connection.cancel()
            return end("the file can't be written; is the disk full?")
        }
        received += Int64(data.count)
        progress.show(Double(received) / Double(expected))
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        end(nil)
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        end(error.localizedDescription)
    }

    private func end(_ failure: String?) {
        stream?.close()
        self.failure = failure
        isDone.signal()
    }
}
