import Foundation
import RunLoopNetworking
import TranscriptFormat

/// Where the delegates hear their messages; it also looks where one was heard in truth.
final class Stage: Sendable {
    private let place: TranscriptOptions.Place
    private let operations = OperationQueue()
    private let blocks = DispatchQueue(label: "transcript", attributes: .concurrent)
    private let mark = DispatchSpecificKey<Bool>()
    private let ends = DispatchSemaphore(value: 0)

    init(_ place: TranscriptOptions.Place) {
        self.place = place
        blocks.setSpecific(key: mark, value: true)
    }

    /// Tells a connection that has not started where to deliver.
    func take(_ connection: NSURLConnection) {
        switch place {
        case .main: connection.schedule(in: .main, forMode: .default)
        case .operationQueue: connection.setDelegateQueue(operations)
        case .dispatchQueue: connection.setDelegateQueue(blocks)
        case .loop: connection.setDelivery(.onLoop)
        }
    }

    /// Where the caller is, which hears a message of this connection.
    func name(inMessageOf connection: NSURLConnection) -> String {
        if connection.loop.isCurrent { return TranscriptOptions.Place.loop.rawValue }
        if Thread.isMainThread { return TranscriptOptions.Place.main.rawValue }
        if OperationQueue.current === operations {
            return TranscriptOptions.Place.operationQueue.rawValue
        }
        let isOnQueue = DispatchQueue.getSpecific(key: mark) == true
        return isOnQueue ? TranscriptOptions.Place.dispatchQueue.rawValue : "elsewhere"
    }

    /// Waits until so many have ended; each end has to be told by ``oneEnded()``.
    ///
    /// The main thread calls it, and runs its run loop meanwhile if messages are heard there.
    func wait(for count: Int, of tally: Tally) {
        guard place == .main else {
            for _ in 0..<count { ends.wait() }
            return
        }
        while tally.counts.running > 0 {
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }

    /// Tells who waits that one more connection is over.
    func oneEnded() {
        ends.signal()
    }
}
