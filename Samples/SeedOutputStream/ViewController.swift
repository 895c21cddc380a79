import CoreFoundation
import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

// One thread at a time: the download's, then the delegate queue's, then the main thread again.
final class ViewController: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    let arguments: SampleArguments
    let download: SampleDownload
    let progress = ProgressLine()

    var expectedContentLength: Int64 = 0  // how long the file to download is
    var currentLength: Int64 = 0  // how much of it has been downloaded
    var fileData: Data?  // for --collect: where the pieces are put together
    var targetFilePath = ""  // where to save
    var fileStream: OutputStream?  // open() before writing, close() when done

    // Mended: several threads look at these at the same time.
    private let lock = NSLock()
    private var finished = false  // for --poll
    private var failed = false
    private var runLoop: CFRunLoop?  // the run loop of the download's thread

    var isFinished: Bool {
        get { lock.withLock { finished } }
        set { lock.withLock { finished = newValue } }
    }

    var hasFailed: Bool {
        get { lock.withLock { failed } }
        set { lock.withLock { failed = newValue } }
    }

    var downloadRunLoop: CFRunLoop? {
        get { lock.withLock { runLoop } }
        set { lock.withLock { runLoop = newValue } }
    }

    init(_ arguments: SampleArguments) {
        self.arguments = arguments
        download = SampleDownload(arguments, size: 734_003_200, name: "1.mp4")
    }

    func touchesBegan() {
        DispatchQueue.global().async { [self] in
            // 1. the URL
            let url = download.url
            // 2. the request
            let request = URLRequest(url: url)
            if arguments.has("--asynchronous") { return loadAtOnce(request) }
            // 3. the connection. It begins here, on a thread that Dispatch made.
            print("begin \(Thread.isMainThread ? "on the main thread" : "off the main thread")")
            // For the connection to work, the run loop of the calling thread must run in the
            // default mode.
            let connection = NSURLConnection(request: request, delegate: self)
            // The delegate's queue: by default it would work on the thread of the run loop.
            connection?.setDelegateQueue(OperationQueue())
            // 4. start the connection. (It has started when it was made: this does nothing.)
            connection?.start()
            // 5. start the run loop
            if arguments.has("--poll") {
                // An endless loop that listens for 0.1 s each time.
                while !isFinished {
                    _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
                }
            } else {
                // CoreFoundation has the calls that lie deeper:
                //   CFRunLoopGetCurrent()  the run loop of this thread
                //   CFRunLoopRun()         run it
                //   CFRunLoopStop(_:)      stop it
                downloadRunLoop = CFRunLoopGetCurrent()
                CFRunLoopRun()
            }
            print("did I get here?")
            CFRunLoopStop(CFRunLoopGetMain())
        }
    }

    /// The seed's last lines: the whole file in one Data.
    private func loadAtOnce(_ request: URLRequest) {
        NSURLConnection.sendAsynchronousRequest(request, queue: .main) {
            [self] response, data, error in
            hasFailed = error != nil
            targetFilePath = path(for: response)
            // Mended: the seed does not look whether the file could be written.
            do { try data?.write(to: URL(fileURLWithPath: targetFilePath)) } catch {
                hasFailed = true
            }
            print("finished")
            CFRunLoopStop(CFRunLoopGetMain())
        }
    }

    private func path(for response: URLResponse?) -> String {
        download.folder.appendingPathComponent(response?.suggestedFilename ?? "unknown").path
    }

    // MARK: - NSURLConnectionDataDelegate

    // 1. The response of the server has come: status line and header fields. Get ready.
    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        print("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        // How long the file is.
        expectedContentLength = response.expectedContentLength
        currentLength = 0
        targetFilePath = path(for: response)
        // Removes the file if it is there; does nothing if it is not.
        try? FileManager.default.removeItem(atPath: targetFilePath)
        guard !arguments.has("--collect"), !arguments.has("--file-handle") else { return }
        // Opens the stream so that it appends.
        fileStream = OutputStream(toFileAtPath: targetFilePath, append: true)
        fileStream?.open()
    }

    // 2. Data has come. This is called many times.
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        currentLength += Int64(data.count)
        let fraction = Double(currentLength) / Double(expectedContentLength)
        // The progress bar is moved on the main thread.
        DispatchQueue.main.async { [progress] in progress.show(fraction) }
        if arguments.has("--collect") {
            fileData = fileData ?? Data()
            fileData?.append(data)
        } else if arguments.has("--file-handle") {
            writeToFile(with: data)
        } else if fileStream?.write(data) != data.count {
            // Mended: the seed does not look whether the bytes were written. A full disk ends here.
            connection.cancel()
            finish(failed: true)
        }
    }

    private func writeToFile(with data: Data) {
        // If the file does not exist, the handle is nil.
        guard let handle = FileHandle(forWritingAtPath: targetFilePath) else {
            // Mended: the seed does not look whether the file could be made, here and below.
            hasFailed = !FileManager.default.createFile(atPath: targetFilePath, contents: data)
            return
        }
        // 1. go to the end of the file, 2. write, 3. close: opening and closing come in pairs.
        handle.seekToEndOfFile()
        handle.write(data)
        handle.closeFile()
    }

    // 3. All data has come: the last message.
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        // The thread that the delegate works on at the end is one that the queue chose.
        print("finished \(Thread.isMainThread ? "on the main thread" : "off the main thread")")
        if let fileData {
            hasFailed = !FileManager.default.createFile(atPath: targetFilePath, contents: fileData)
            self.fileData = nil
        }
        finish(failed: hasFailed)
    }

    // 4. It has failed.
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        print("failed \(error.localizedDescription)")
        // Mended: the seed leaves the stream open and the run loop running for ever.
        finish(failed: true)
    }

    private func finish(failed: Bool) {
        hasFailed = failed
        fileStream?.close()
        isFinished = true
        // Stops the run loop of the download's thread.
        if let downloadRunLoop { CFRunLoopStop(downloadRunLoop) }
    }
}
