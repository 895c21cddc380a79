// The second seed: the same 700 MB download on the default scheduling.
//
// Watch for: no queue and no run loop is named anywhere. The connection is made on the main thread,
// so its messages come on the main thread's run loop, in the default mode, while that loop runs.

import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

@main
enum SeedDefaultScheduling {
    static func main() {
        let arguments = SampleArguments(
            usage: "SeedDefaultScheduling [--size BYTES] [--folder DIR] [URL]",
            options: ["--size", "--folder"]
        )
        let download = SampleDownload(arguments, size: 734_003_200, name: "1.mp4")
        let downloader = Downloader(folder: download.folder)
        _ = NSURLConnection(request: URLRequest(url: download.url), delegate: downloader)
        // The connection is an input source of the run loop until its last message.
        while !downloader.isFinished, RunLoop.current.run(mode: .default, before: .distantFuture) {}
        print(download.check(downloader.targetFilePath))
        print("peak resident \(PeakMemory.text)")
        if downloader.hasFailed { Terminal.fail("The download did not end well.") }
    }
}

final class Downloader: NSObject, NSURLConnectionDataDelegate {
    let folder: URL
    let progress = ProgressLine()
    var expectedContentLength: Int64 = 0  // how long the file to download is
    var currentLength: Int64 = 0  // how much of it has been downloaded
    var targetFilePath = ""  // where to save
    var fileStream: OutputStream?
    var isFinished = false
    var hasFailed = false

    init(folder: URL) {
        self.folder = folder
    }

    // 1. The response of the server has come: status line and header fields. Get ready.
    //    expectedContentLength: how long the file is; suggestedFilename: what to call it.
    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        print("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        expectedContentLength = response.expectedContentLength
        currentLength = 0
        let name = response.suggestedFilename ?? "unknown"
        targetFilePath = folder.appendingPathComponent(name).path
        // Removes the file if it is there; does nothing if it is not.
        try? FileManager.default.removeItem(atPath: targetFilePath)
        // Opens the stream so that it appends.
        fileStream = OutputStream(toFileAtPath: targetFilePath, append: true)
        fileStream?.open()
    }

    // 2. Data has come. This is called many times.
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        currentLength += Int64(data.count)
        progress.show(Double(currentLength) / Double(expectedContentLength))
        // Mended: the seed does not look whether the bytes were written. A full disk ends here.
        if fileStream?.write(data) != data.count {
            connection.cancel()
            end(failed: true)
        }
    }

    // 3. All data has come: the last message.
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        print("finished \(Thread.isMainThread ? "on the main thread" : "off the main thread")")
        end(failed: false)
    }

    // 4. It has failed. Mended: the seed does nothing here.
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        print("failed \(error.localizedDescription)")
        end(failed: true)
    }

    private func end(failed: Bool) {
        fileStream?.close()
        hasFailed = failed
        isFinished = true
    }
}
