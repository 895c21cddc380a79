import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// Many connections that several threads start and cancel, and all that their delegates heard.
final class Crowd: Sendable {
    /// A connection and what became of it.
    struct Member: Sendable {
        let plan: Plan
        let connection: NSURLConnection
        let delegate: RecordingDelegate
    }

    private struct State {
        var members: [Member] = []
        /// Those that are to be cancelled by somebody some time.
        var pool: [NSURLConnection] = []
    }

    private let base: URL
    private let loop: EventLoop
    private let state = Locked(State())
    private let serial = OperationQueue()
    private let concurrent = OperationQueue()
    private let dispatch = DispatchQueue(label: "crowd", attributes: .concurrent)

    init(base: URL, loop: EventLoop) {
        self.base = base
        self.loop = loop
        serial.maxConcurrentOperationCount = 1
    }

    /// Everybody who was ever in.
    var members: [Member] { state.withLock { $0.members } }

    /// Begins a connection as its plan says, and perhaps cancels another one.
    func add(_ plan: Plan, using generator: inout SeededGenerator) {
        let cancel = plan.cancel
        let heard = Locked(0)
        let delegate = RecordingDelegate(keepsBody: false) { _, connection in
            let count = heard.withLock { count in
                count += 1
                return count
            }
            if cancel == .insideMessage(count) { connection.cancel() }
        }
        let made = NSURLConnection(
            request: URLRequest(url: base.appendingPathComponent(plan.path)),
            delegate: delegate,
            startImmediately: false,
            loop: loop
        )
        guard let connection = made else { return }
        switch plan.place {
        case .loop: connection.setDelivery(.onLoop)
        case .serialQueue: connection.setDelegateQueue(serial)
        case .concurrentQueue: connection.setDelegateQueue(concurrent)
        case .dispatchQueue: connection.setDelegateQueue(dispatch)
        }
        let member = Member(plan: plan, connection: connection, delegate: delegate)
        state.withLock { state in
            state.members.append(member)
            if cancel == .later { state.pool.append(connection) }
        }
        if cancel == .beforeStart { connection.cancel() }
        connection.start()
        if cancel == .afterStart { connection.cancel() }
        if Bool.random(using: &generator) { cancelOne(using: &generator) }
    }

    /// Cancels somebody who is to be cancelled.
    private func cancelOne(using generator: inout SeededGenerator) {
        let chance = Double.random(in: 0..<1, using: &generator)
        let chosen = state.withLock { state -> NSURLConnection? in
            guard !state.pool.isEmpty else { return nil }
            return state.pool.remove(at: Int(chance * Double(state.pool.count)))
        }
        chosen?.cancel()
    }

    /// Cancels all who are still to be cancelled.
    func cancelRest() {
        let rest = state.withLock { state in
            defer { state.pool = [] }
            return state.pool
        }
        for connection in rest { connection.cancel() }
    }
}

/// A value under a lock that the thread sanitizer knows.
final class Locked<Value>: @unchecked Sendable {
    // Guarded by the lock.
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
