private import EventLoops
public import FoundationEssentials

/// A small HTTP server for samples and tests: it runs in the program that makes it.
///
/// It listens on 127.0.0.1 alone. Files of any size are made on the fly (``Pattern``); other routes
/// are slow, redirect, refuse, reset or never end. `GET /` lists them all.
///
/// ```swift
/// let server = try SampleServer()
/// let file = server.start().appending(path: "1.mp4")
/// …
/// server.stop()
/// ```
///
/// Any thread may call it. Its work is done on a loop with a thread of its own. A server that is let
/// go of stops.
public final class SampleServer: Sendable {
    private enum Stage {
        case idle
        case started
        case stopped
    }

    /// The port that it listens on.
    public var port: UInt16 { socket.port }

    private let loop = EventLoop(name: "sample server")
    private let checksums = ChecksumDesk()
    private let socket: ListeningSocket

    /// Guarded by the mutex.
    private let stage = Guarded(Stage.idle)

    /// Takes a port; clients that come before ``start()`` wait.
    ///
    /// - Parameter port: The port to listen on; 0 stands for any free one.
    /// - Throws: ``SampleServerError`` when the port is taken.
    public init(port: UInt16 = 0) throws(SampleServerError) {
        socket = try ListeningSocket(port: port)
    }

    deinit {
        stop()
    }

    /// Where the routes begin: `http://127.0.0.1:` and the port.
    public var url: URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else {
            preconditionFailure("Foundation reads no URL with port \(port)")
        }
        return url
    }

    /// Begins to answer, and returns ``url``.
    ///
    /// Starting a second time does nothing. A server that was stopped has given its port back: the
    /// program stops when it is started again.
    @discardableResult
    public func start() -> URL {
        let isFirst = stage.withLock { stage in
            precondition(stage != .stopped, "this server was stopped; make a new SampleServer")
            defer { stage = .started }
            return stage == .idle
        }
        if isFirst { open() }
        return url
    }

    /// Closes the port and every network connection; returns when all of it is done.
    ///
    /// Stopping a second time does nothing.
    public func stop() {
        stage.withLock { $0 = .stopped }
        loop.shutDown()
        socket.closeUnlessTaken()
    }

    private func open() {
        loop.start()
        // The loop must not keep the server alive: it stops when it is let go of.
        loop.perform { [loop, checksums, socket] in
            guard let descriptor = socket.take() else { return }
            BrokenPipeSignal.blockOnThisThread()
            let service = LoopBound(HTTPService(loop: loop, checksums: checksums), to: loop)
            service.onLoop.open(descriptor, myself: service)
            loop.atShutDown { service.onLoop.close() }
        }
    }
}
