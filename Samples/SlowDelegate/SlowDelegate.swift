// SlowDelegate: a delegate that sleeps in each message, beside ten that don't.
//
// Watch for: the peak memory. A fast server sends 700 MB, the delegate takes 50 ms for each piece, and
// yet only about 1 MiB waits for it: then the loop reads no more from that one socket. The ten others
// on the same loop do not notice.

import Digests
import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

@main
enum SlowDelegate {
    static func main() {
        let arguments = SampleArguments(
            usage: "SlowDelegate [--size BYTES] [--milliseconds N]",
            options: ["--size", "--milliseconds"]
        )
        let size = arguments.number("--size") ?? 734_003_200
        let pause = Double(arguments.number("--milliseconds") ?? 50) / 1000
        let server = ServerProcess()

        // One load first: what is needed once is there before the counting begins.
        let first = Listener(pause: 0)
        first.load(server.url.appendingPathComponent("file/1024/first"), on: OperationQueue())
        first.isDone.wait()
        let before = ProcessFigures.now

        let slow = Listener(pause: pause)
        let slowURL = server.url.appendingPathComponent("file/\(size)/slow.bin")
        slow.load(slowURL, on: OperationQueue())
        let begin = ContinuousClock.now
        let others = (1...10).map { _ in Listener(pause: 0) }
        let otherURL = server.url.appendingPathComponent("file/50000000/other")
        // One thread is enough for ten delegates that don't block.
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        for other in others { other.load(otherURL, on: queue) }
        for other in others { other.isDone.wait() }
        let milliseconds = Int((ContinuousClock.now - begin) / .milliseconds(1))
        let right = server.checksum(bytes: 50_000_000)
        print(
            "ten others: \(others.count { $0.digest == right }) right, 500 MB in \(milliseconds) ms"
        )
        print("meanwhile the slow one came to \(slow.received * 100 / size) %")

        slow.isDone.wait()
        let isRight = slow.digest == server.checksum(bytes: size)
        print("the slow one: \(slow.received) bytes, \(isRight ? "every byte in order" : "WRONG")")
        print("peak resident \(PeakMemory.text), \(before.megabytes) MB before")
        if !isRight { Terminal.fail("The slow download did not end well.") }
    }
}

/// Computes the checksum of what comes, and takes its time.
final class Listener: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time, and main waits for `isDone`; but it looks at the count before.
    let isDone = DispatchSemaphore(value: 0)
    let pause: Double
    private let lock = NSLock()
    private var count: Int64 = 0
    var digest: String?
    private var hasher = SHA256Hasher()

    init(pause: Double) {
        self.pause = pause
    }

    var received: Int64 { lock.withLock { count } }

    func load(_ url: URL, on queue: OperationQueue) {
        let request = URLRequest(url: url)
        let connection = NSURLConnection(request: request, delegate: self, startImmediately: false)
        connection?.setDelegateQueue(queue)
        connection?.start()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        hasher.update(data.span)
        lock.withLock { count += Int64(data.count) }
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        digest = "\(hasher.finalize())"
        isDone.signal()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        isDone.signal()
    }
}
