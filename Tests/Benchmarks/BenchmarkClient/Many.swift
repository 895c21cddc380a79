import Dispatch
import EventLoops
import Foundation
import FoundationNetworking
import RunLoopNetworking

/// One URL again and again, so many at once.
final class Many: @unchecked Sendable {
    private struct State {
        var started = 0
        var outcome = Outcome()
    }

    private let request: URLRequest?
    private let count: Int
    private let concurrency: Int
    private let loops: [EventLoop]
    private let delivery: String
    // One queue for all, as a program would have it: it runs one operation at a time.
    private let operations = OperationQueue()
    private let blocks = DispatchQueue(label: "delegates")
    private let isDone = DispatchSemaphore(value: 0)
    // Guarded by the lock.
    private var state = State()
    private let lock = NSLock()

    init(_ url: String, count: Int, concurrency: Int, loops: [EventLoop], delivery: String) {
        request = URL(string: url).map { URLRequest(url: $0) }
        self.count = count
        self.concurrency = concurrency
        self.loops = loops
        self.delivery = delivery
        operations.maxConcurrentOperationCount = 1
    }

    func run() -> Outcome {
        for _ in 0..<min(count, concurrency) { startNext() }
        isDone.wait()
        return lock.withLock { state.outcome }
    }

    private func startNext() {
        let number = lock.withLock {
            defer { state.started += 1 }
            return state.started
        }
        guard number < count, let request else { return }
        let connection = NSURLConnection(
            request: request,
            delegate: Reader(self),
            startImmediately: false,
            loop: loops[number % loops.count]
        )
        switch delivery {
        case "operation-queue": connection?.setDelegateQueue(operations)
        case "dispatch-queue": connection?.setDelivery(.dispatchQueue(blocks))
        default: connection?.setDelivery(.onLoop)
        }
        connection?.start()
    }

    fileprivate func ended(_ reader: Reader, _ isGood: Bool) {
        let isLast = lock.withLock {
            state.outcome.bytes += reader.bytes
            state.outcome.messages += reader.messages
            if isGood { state.outcome.finished += 1 } else { state.outcome.failed += 1 }
            return state.outcome.finished + state.outcome.failed == count
        }
        if isLast { isDone.signal() } else { startNext() }
    }
}

/// The delegate of one load.
private final class Reader: NSObject, NSURLConnectionDataDelegate {
    private let many: Many
    var bytes: Int64 = 0
    var messages = 0

    init(_ many: Many) {
        self.many = many
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        messages += 1
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        bytes += Int64(data.count)
        messages += 1
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        many.ended(self, true)
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        many.ended(self, false)
    }
}
