import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

// How a download is made faster: a Data collects what comes; when there are more than 500 kB in it,
// they are written to the file and the Data is emptied.
//
// How it goes on after a pause: the pause remembers the position; the next request begins there.
//   Range: bytes=0-499     the first 500 bytes
//   Range: bytes=500-999   the second 500 bytes
//   Range: bytes=-500      the last 500 bytes
//   Range: bytes=500-      all from the 500th byte on
//   Range: bytes=0-0,-1    the first and the last byte
// What comes is always appended at the end of the file.
final class ViewController: NSObject, NSURLConnectionDataDelegate {
    var receiveData = Data()
    var totalSize = 0.0  // how long the whole file is
    var receiveTotal = 0.0  // how much of it has been received
    var filePath: String  // where the file lies
    var isDownloading = false
    var isComplete = false
    var hasFailed = false
    var pausesAfter: Double?
    private var connection: NSURLConnection?
    private let progress = ProgressLine()
    private let userDefaults = UserDefaults.standard

    init(folder: URL) {
        filePath = folder.appendingPathComponent("iStatMenus511b17.dmg").path
    }

    func viewDidLoad() {
        // UserDefaults is one object for the whole program.
        receiveTotal = userDefaults.double(forKey: "ReceivedTotal")
        totalSize = userDefaults.double(forKey: "TotalSize")
        // Mended: the position counts only while the file is there and as long as it says.
        let attributes = try? FileManager.default.attributesOfItem(atPath: filePath)
        let length = (attributes?[.size] as? NSNumber)?.doubleValue ?? 0
        if length != receiveTotal { (receiveTotal, totalSize) = (0, 0) }
        // How far the last run came.
        if totalSize > 0 { print("going on at \(Int64(receiveTotal)) of \(Int64(totalSize))") }
    }

    func downloadAction(_ url: URL) {
        guard !isDownloading else { return }
        // 1. the URL, 2. the request
        var request = URLRequest(url: url)
        if receiveTotal > 0 {
            // Where to go on. Mended: the seed's int ends at 2 GB.
            request.setValue("bytes=\(Int64(receiveTotal))-", forHTTPHeaderField: "Range")
        }
        // Creates the file if it is not there.
        if !FileManager.default.fileExists(atPath: filePath) {
            _ = FileManager.default.createFile(atPath: filePath, contents: nil)
        }
        // 3. send the request
        isDownloading = true
        connection = NSURLConnection(request: request, delegate: self)
    }

    func pauseAction() {
        connection?.cancel()
        connection = nil
        // Writes what is in the buffer.
        appendFileData(receiveData)
        receiveData = Data()
        // Remembers how much there is and how much there will be.
        userDefaults.set(receiveTotal, forKey: "ReceivedTotal")
        userDefaults.set(totalSize, forKey: "TotalSize")
        userDefaults.synchronize()
        isDownloading = false
    }

    func forget() {
        userDefaults.removeObject(forKey: "ReceivedTotal")
        userDefaults.removeObject(forKey: "TotalSize")
        userDefaults.synchronize()
    }

    // MARK: - NSURLConnectionDataDelegate

    // The server has answered.
    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        receiveData = Data()
        guard let response = response as? HTTPURLResponse else { return }
        print("response \(response.statusCode)")
        // Mended: the seed appends whatever comes, also a whole file and the page of an error.
        switch response.statusCode {
        case 206 where beginsAtTheEnd(response):
            break
        case 200:
            _ = FileManager.default.createFile(atPath: filePath, contents: nil)
            (receiveTotal, totalSize) = (0, 0)
        default:
            return fail("the server answered \(response.statusCode)")
        }
        // A total of 0 means that the download begins: how long is the file?
        if totalSize == 0 {
            totalSize = Double(response.value(forHTTPHeaderField: "Content-Length") ?? "") ?? 0
        }
    }

    private func beginsAtTheEnd(_ response: HTTPURLResponse) -> Bool {
        let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
        return range.hasPrefix("bytes \(Int64(receiveTotal))-")
    }

    // Data has come.
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        receiveData.append(data)
        receiveTotal += Double(data.count)
        progress.show(receiveTotal / totalSize)
        // More than 500 kB are written to the file, and the buffer is emptied.
        if receiveData.count > 500 * 1000 {
            appendFileData(receiveData)
            receiveData = Data()
        }
        if let pausesAfter, receiveTotal >= pausesAfter { pauseAction() }
    }

    private func appendFileData(_ data: Data) {
        guard !data.isEmpty else { return }
        do {
            // The file must be there for a FileHandle to write to it.
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: filePath))
            // Goes to where to write.
            try handle.seekToEnd()
            try handle.write(contentsOf: data)
            // Closing sees to it that all is written.
            try handle.close()
        } catch {
            fail("the file can't be written: \(error.localizedDescription)")
        }
    }

    // All data has come.
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        // Writes the rest. Mended: the seed asks for less than 500,000 bytes here and for more than
        // 500,000 above, so that a rest of exactly 500,000 bytes was lost.
        appendFileData(receiveData)
        receiveData = Data()
        isComplete = !hasFailed
        isDownloading = false
    }

    // Mended: the seed has no such method, and waits for ever.
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        // What was received stays: the next run goes on from there.
        pauseAction()
        fail(error.localizedDescription)
    }

    private func fail(_ reason: String) {
        print("failed: \(reason)")
        connection?.cancel()
        hasFailed = true
        isDownloading = false
    }
}
