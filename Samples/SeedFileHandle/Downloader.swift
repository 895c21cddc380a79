import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

final class Downloader: NSObject, NSURLConnectionDataDelegate {
    let fullPath: String  // where the file lies
    var totalSize: Int64 = 0  // how long the whole file is
    var currentSize: Int64  // how much of it is there
    var handle: FileHandle?
    var pausesAfter: Int64?
    var isRunning = false
    var hasFailed = false
    private let progress = ProgressLine()

    init(folder: URL) {
        fullPath = folder.appendingPathComponent("123.mp4").path
        // Mended: the seed forgets the size when the program ends. The file itself remembers it.
        let attributes = try? FileManager.default.attributesOfItem(atPath: fullPath)
        currentSize = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// The download button: begins, or goes on where the file ends.
    func click(_ url: URL) {
        var request = URLRequest(url: url)
        if currentSize > 0 {
            // Where to go on: the size of what is there is the offset of the first byte wanted.
            request.setValue("bytes=\(currentSize)-", forHTTPHeaderField: "Range")
        }
        isRunning = true
        let connection = NSURLConnection(request: request, delegate: self)
        while isRunning, RunLoop.current.run(mode: .default, before: .distantFuture) {}
        connection?.cancel()
    }

    // The response of the server has come.
    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        print("response \(status)")
        // Mended: the seed returns here whenever something is there already, and appends whatever
        // comes: a whole file, if the server does not know ranges, or the page of an error. Only a
        // 206 that begins where the file ends is appended; a 200 begins again.
        if status == 206, beginsAtTheEnd(response) {
            // expectedContentLength is that of this answer: what is there comes on top.
            totalSize = currentSize + response.expectedContentLength
        } else if status == 200 {
            // Creates an empty file, in the place of one that may be there.
            _ = FileManager.default.createFile(atPath: fullPath, contents: nil)
            currentSize = 0
            totalSize = response.expectedContentLength
        } else {
            connection.cancel()
            return end(failed: true)
        }
        // The file handle: where to write.
        handle = FileHandle(forWritingAtPath: fullPath)
        if handle == nil {
            connection.cancel()
            end(failed: true)
        }
    }

    private func beginsAtTheEnd(_ response: URLResponse) -> Bool {
        let range = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Range") ?? ""
        return range.hasPrefix("bytes \(currentSize)-")
    }

    // Data has come. This is called many times.
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        do {
            // 1. go to the end of the file
            try handle?.seekToEnd()
            // 2. write
            try handle?.write(contentsOf: data)
        } catch {
            connection.cancel()
            return end(failed: true)
        }
        // 3. how far it is
        currentSize += Int64(data.count)
        progress.show(Double(currentSize) / Double(totalSize))
        // The pause button.
        if let pausesAfter, currentSize >= pausesAfter {
            connection.cancel()
            end(failed: false)
        }
    }

    // All data has come. A handle that was used must be closed.
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        end(failed: false)
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        print("failed \(error.localizedDescription)")
        end(failed: true)
    }

    private func end(failed: Bool) {
        try? handle?.close()
        handle = nil
        hasFailed = failed
        isRunning = false
    }
}
