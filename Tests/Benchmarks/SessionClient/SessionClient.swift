// Foundation's URLSession with the commands of the benchmarks, delegate on an OperationQueue.
//
//     SessionClient download URL FILE|- | many URL COUNT CONCURRENCY

import Dispatch
import Foundation
import FoundationNetworking

@main
enum SessionClient {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let begin = ContinuousClock.now
        let worker: Worker
        switch (arguments.first, arguments.count) {
        case ("download", 3):
            worker = Worker(arguments[1], count: 1, concurrency: 1, file: arguments[2])
        case ("many", 4):
            worker = Worker(
                arguments[1],
                count: Int(arguments[2]) ?? 0,
                concurrency: Int(arguments[3]) ?? 1,
                file: "-"
            )
        default:
            print("usage: SessionClient download URL FILE|- | many URL COUNT CONCURRENCY")
            exit(64)
        }
        worker.run()
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        print(
            "{\"bytes\":\(worker.bytes),\"seconds\":\(seconds),\"messages\":\(worker.messages),"
                + "\"finished\":\(worker.finished),\"failed\":\(worker.failed)}"
        )
        exit(worker.failed == 0 ? 0 : 1)
    }
}

/// The delegate of all tasks.
final class Worker: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // The queue runs one operation at a time; the main thread looks after `isDone`.
    private(set) var bytes = 0
    private(set) var messages = 0
    private(set) var finished = 0
    private(set) var failed = 0
    private var started = 0
    private let url: URL?
    private let count: Int
    private let concurrency: Int
    private let file: FileHandle?
    private let isDone = DispatchSemaphore(value: 0)
    private let queue = OperationQueue()

    init(_ url: String, count: Int, concurrency: Int, file: String) {
        self.url = URL(string: url)
        self.count = count
        self.concurrency = concurrency
        if file == "-" {
            self.file = nil
        } else {
            FileManager.default.createFile(atPath: file, contents: nil)
            self.file = FileHandle(forWritingAtPath: file)
        }
        queue.maxConcurrentOperationCount = 1
    }

    func run() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency
        configuration.urlCache = nil
        let session = URLSession(
            configuration: configuration,
            delegate: self,
            delegateQueue: queue
        )
        queue.addOperation { [self] in
            for _ in 0..<min(count, concurrency) { startNext(session) }
        }
        isDone.wait()
    }

    private func startNext(_ session: URLSession) {
        guard started < count, let url else { return }
        started += 1
        session.dataTask(with: url).resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bytes += data.count
        messages += 1
        try? file?.write(contentsOf: data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        if error == nil { finished += 1 } else { failed += 1 }
        if finished + failed == count { isDone.signal() } else { startNext(session) }
    }
}
