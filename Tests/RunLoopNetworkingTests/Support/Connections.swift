import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// A connection that has not started.
func makeConnection(
    _ request: URLRequest,
    _ delegate: Any?,
    loop: EventLoop = .shared
) -> NSURLConnection {
    let made = NSURLConnection(
        request: request,
        delegate: delegate,
        startImmediately: false,
        loop: loop
    )
    guard let made else { preconditionFailure("a connection can always be made") }
    return made
}

/// Loads a request to its end, and delivers on a queue of its own.
@discardableResult
func load(
    _ request: URLRequest,
    _ delegate: RecordingDelegate = RecordingDelegate(),
    loop: EventLoop = .shared
) async throws -> RecordingDelegate {
    let connection = makeConnection(request, delegate, loop: loop)
    connection.setDelegateQueue(OperationQueue())
    connection.start()
    try await delegate.ended()
    return delegate
}

/// Loads a request to its end while the calling thread is blocked.
///
/// What was in the kernel before this began has reached the mailboxes when it returns: the loop has
/// turned several times since.
func turnLoopByLoading(_ loop: EventLoop = .shared) throws {
    let server = try ScriptedServer([.waitForRequest, .respond(200, body: "x")])
    let delegate = RecordingDelegate()
    let connection = makeConnection(server.request(), delegate, loop: loop)
    connection.setDelivery(.onLoop)
    connection.start()
    try delegate.wait()
}

/// Waits until everything that was added to a queue before has run.
func waitForQueue(_ queue: OperationQueue) async throws {
    let reached = Gate()
    queue.addBarrierBlock { reached.open() }
    try await reached.opened()
}

/// A connection that tells when it is freed.
final class ProbeConnection: NSURLConnection, @unchecked Sendable {
    // A constant.
    let freed = Gate()

    deinit {
        freed.open()
    }
}

/// Opens a gate when the last reference to it goes.
final class Probe: Sendable {
    let freed: Gate

    init(_ freed: Gate) {
        self.freed = freed
    }

    deinit {
        freed.open()
    }
}

/// A queue for delegates that block: it gets a thread of its own.
///
/// An OperationQueue borrows one of the few threads that Swift's tasks run on as well.
func makeBlockingQueue() -> DispatchQueue {
    DispatchQueue(label: "blocking delegate")
}

/// Waits until everything that was added to a serial queue before has run.
func waitForQueue(_ queue: DispatchQueue) async throws {
    let reached = Gate()
    queue.async { reached.open() }
    try await reached.opened()
}
