import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// A download delegate that writes down what it hears, and reads the file when it is whole.
class DownloadRecorder: NSObject, NSURLConnectionDownloadDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.

    /// What was heard, a line for each message; progress that follows progress is one line.
    fileprivate(set) var lines: [String] = []
    private(set) var content: Data?
    private(set) var permissions: Int?
    private(set) var url: URL?
    private(set) var error: (any Error)?
    private(set) var progress: [Int64] = []
    private var written: Int64 = 0

    /// Bytes that were told do not add up to the total.
    private(set) var isWrong = false
    let ended = Gate()
    let began = Gate()

    /// What a test does inside a message.
    private let onLine: @Sendable (String, URL?) -> Void

    init(_ onLine: @escaping @Sendable (String, URL?) -> Void = { _, _ in }) {
        self.onLine = onLine
    }

    func connection(
        _ connection: NSURLConnection,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {
        let begins = totalBytesWritten == bytesWritten
        if !begins, written + bytesWritten != totalBytesWritten { isWrong = true }
        written = totalBytesWritten
        progress.append(totalBytesWritten)
        if !begins, lines.last?.hasPrefix("wrote") == true { lines.removeLast() }
        hear("wrote \(totalBytesWritten) of \(expectedTotalBytes)")
        began.open()
    }

    func connectionDidResumeDownloading(
        _ connection: NSURLConnection,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {
        hear("resumed \(totalBytesWritten) of \(expectedTotalBytes)")
    }

    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
        url = destinationURL
        content = try? Data(contentsOf: destinationURL)
        let attributes = try? FileManager.default.attributesOfItem(atPath: destinationURL.path)
        permissions = attributes?[.posixPermissions] as? Int
        hear("finished", destinationURL)
        ended.open()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        self.error = error
        hear("failed \((error as? URLError)?.code.rawValue ?? 0)")
        ended.open()
    }

    fileprivate func hear(_ line: String, _ url: URL? = nil) {
        lines.append(line)
        onLine(line, url)
    }

    /// The bytes of the file as text.
    var text: String? { content.map { String(decoding: $0, as: UTF8.self) } }
}

/// The same, and a data delegate as well.
final class DownloadAndDataRecorder: DownloadRecorder, NSURLConnectionDataDelegate,
    @unchecked Sendable
{
    // As above.
    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        hear("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        hear("data")
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        hear("finished loading")
    }
}

/// A loop whose downloads lie in a folder of their own.
final class DownloadRig: Sendable {
    let folder: TemporaryFolder
    let test = TestLoop()

    init() throws {
        folder = try TemporaryFolder()
        test.loop.connectionSettings.downloadDirectory = folder.path
    }

    @discardableResult
    func start(_ request: URLRequest, _ recorder: DownloadRecorder) -> NSURLConnection {
        let connection = makeConnection(request, recorder, loop: test.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        return connection
    }

    @discardableResult
    func load(
        _ request: URLRequest,
        _ recorder: DownloadRecorder = DownloadRecorder()
    ) async throws -> DownloadRecorder {
        start(request, recorder)
        try await recorder.ended.opened()
        return recorder
    }

    /// Says whether nothing is left in the folder, a moment after a connection is over.
    func isEmptySoon() async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try folder.names.isEmpty { return true }
            await Task.yield()
        }
        return false
    }
}
