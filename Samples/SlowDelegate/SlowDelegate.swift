// SlowDelegate: a delegate that sleeps in each message, beside ten that don't.
//
// Watch for: the peak memory. A fast server sends 700 MB, the delegate takes 50 ms for each piece, and
// yet only about 1 MiB waits for it: then the loop reads no more from that one socket. The ten others
// on the same loop do not notice.

import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

@main
enum SlowDelegate {
    static func main() {
        let arguments = SampleArguments(
            usage: "SlowDelegate [--size BYTES] [--milliseconds N]",
            options: ["--size", "--milliseconds"])
        let size = arguments.number("--size") ?? 734_003_200
        let pause = Double(arguments.number("--milliseconds") ?? 50) / 1000
        let server = ServerProcess()

        let slow = Listener(pause: pause)
        start(server.url.appendingPathComponent("file/\(size)/slow.bin"), slow, "slow")
        let begin = ContinuousClock.now
        let others = (1...10).map { number in
            let listener = Listener(pause: 0)
            start(server.url.appendingPathComponent("file/50000000/\(number).bin"), listener, "other")
            return listener
        }
        for other in others { other.isDone.wait() }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        let percent = slow.received * 100 / size
        print("ten others: \(others.count { $0.isRight }) right, 500 MB in "
            + "\(String(format: "%.2f", seconds)) s, the slow one at \(percent) %")

        slow.isDone.wait()
        print("slow: \(slow.received) bytes in \(slow.messages) messages, "
            + (slow.isRight ? "every byte in order" : "WRONG"))
        print("peak resident \(PeakMemory.text)")
        if !slow.isRight { Terminal.fail("The slow download did not end well.") }
    }

    private static func start(_ url: URL, _ listener: Listener, _ name: String) {
        let connection = NSURLConnection(
            request: URLRequest(url: url), delegate: listener, startImmediately: false)
        let queue = OperationQueue()
        queue.name = name
        connection?.setDelegateQueue(queue)
        connection?.start()
    }
}

/// Compares what comes with the server's pattern, and takes its time.
final class Listener: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time; main looks at `received` only to print it.
    let isDone = DispatchSemaphore(value: 0)
    let pause: Double
    var received: Int64 = 0
    var messages = 0
    var isRight = true
    private let progress = ProgressLine()

    init(pause: Double) {
        self.pause = pause
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        if isRight { isRight = PatternCheck.matches(data, at: received) }
        received += Int64(data.count)
        messages += 1
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        isDone.signal()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        isRight = false
        isDone.signal()
    }
}
