import Dispatch
import EventLoops
import Foundation
import FoundationNetworking
import RunLoopNetworking

/// One URL, to a file or to a delegate that drops it.
final class Download: NSObject, @unchecked Sendable {
    // The messages come one at a time; the main thread looks after `isDone`.
    private let isDone = DispatchSemaphore(value: 0)
    private var outcome = Outcome()
    private let url: URL?
    private let file: String
    private let loop: EventLoop

    init(_ url: String, to file: String, on loop: EventLoop) {
        self.url = URL(string: url)
        self.file = file
        self.loop = loop
    }

    func run() -> Outcome {
        guard let url else { return Outcome(failed: 1) }
        if file == "-" {
            let connection = NSURLConnection(
                request: URLRequest(url: url),
                delegate: self,
                startImmediately: false,
                loop: loop
            )
            connection?.setDelivery(.onLoop)
            connection?.start()
            isDone.wait()
        } else {
            var options = DownloadOptions()
            options.replacesExisting = true
            let download = FileDownload(
                request: URLRequest(url: url),
                to: URL(fileURLWithPath: file),
                options: options,
                delegate: self,
                loop: loop
            )
            download.setDelivery(.onLoop)
            download.start()
            isDone.wait()
        }
        return outcome
    }

    private func end(_ isGood: Bool) {
        if isGood { outcome.finished += 1 } else { outcome.failed += 1 }
        isDone.signal()
    }
}

extension Download: NSURLConnectionDataDelegate {
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        outcome.bytes += Int64(data.count)
        outcome.messages += 1
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) { end(true) }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        end(false)
    }
}

extension Download: FileDownloadDelegate {
    func download(
        _ download: FileDownload,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {
        outcome.bytes = totalBytesWritten
        outcome.messages += 1
    }

    func download(_ download: FileDownload, didFinishDownloadingTo location: URL) { end(true) }

    func download(_ download: FileDownload, didFailWithError error: any Error) {
        print(error)
        end(false)
    }
}
