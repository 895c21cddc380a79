// ManyAtOnce: ten thousand connections, started at once, on one loop.
//
// Watch for: the threads, which don't grow, and the descriptors, which stay below the limit of network
// connections. The others wait for a place, and their time-out does not count meanwhile.

import EventLoops
import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

@main
enum ManyAtOnce {
    static func main() {
        let arguments = SampleArguments(
            usage: "ManyAtOnce [--connections N] [--limit N]",
            options: ["--connections", "--limit"]
        )
        let count = Int(arguments.number("--connections") ?? 10_000)
        let limit = Int(arguments.number("--limit") ?? 64)
        let server = ServerProcess()
        let loop = EventLoop(name: "many")
        var settings = ConnectionSettings()
        settings.connectionsPerHost = limit
        settings.connections = limit
        settings.proxy = .direct
        // Each is to come over the network, though all are the same.
        settings.responseCache = nil
        loop.connectionSettings = settings
        loop.start()

        // One load first: what is needed once is there before the counting begins.
        let first = Tally(expected: 1)
        first.start(server.url.appendingPathComponent("file/1024/first"), on: loop)
        first.isDone.wait()
        let before = ProcessFigures.now

        let tally = Tally(expected: count)
        let url = server.url.appendingPathComponent("file/1024/small")
        for _ in 0..<count { tally.start(url, on: loop) }
        tally.isDone.wait()
        // After a burst the loop gives the memory back, when it has been idle for a second.
        let isRested = DispatchSemaphore(value: 0)
        loop.perform(after: .seconds(2)) { isRested.signal() }
        isRested.wait()
        let after = ProcessFigures.now

        print("\(tally.finished) of \(count) finished, \(tally.bytes) bytes")
        print("network connections: at most \(tally.mostDescriptors - before.descriptors + 1)")
        print(
            "threads: \(before.threads) before, \(tally.mostThreads) at most, \(after.threads) after"
        )
        print("memory: \(before.megabytes) MB before, \(after.megabytes) MB after")
        print("peak resident \(PeakMemory.text)")
        loop.shutDown()
        if tally.finished != count { Terminal.fail("Not all have finished.") }
    }
}

/// Counts what happens to many connections, on the loop.
final class Tally: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // All messages come on the loop; main looks when `isDone` has been signalled.
    let isDone = DispatchSemaphore(value: 0)
    var finished = 0
    var failed = 0
    var bytes = 0
    var mostDescriptors = 0
    var mostThreads = 0
    private let expected: Int
    private let progress = ProgressLine()

    init(expected: Int) {
        self.expected = expected
    }

    func start(_ url: URL, on loop: EventLoop) {
        let connection = NSURLConnection(
            request: URLRequest(url: url),
            delegate: self,
            startImmediately: false,
            loop: loop
        )
        connection?.setDelivery(.onLoop)
        connection?.start()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        bytes += data.count
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        finished += 1
        end()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        failed += 1
        end()
    }

    private func end() {
        if (finished + failed) % 100 == 0 {
            let now = ProcessFigures.now
            mostDescriptors = max(mostDescriptors, now.descriptors)
            mostThreads = max(mostThreads, now.threads)
        }
        progress.show(Double(finished + failed) / Double(expected))
        if finished + failed == expected { isDone.signal() }
    }
}
