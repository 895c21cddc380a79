private import Dispatch
private import EventLoops
private import Foundation

/// What a scripted server's threads share; it lives on until the last of them has ended.
final class ServerCore: Sendable {
    /// What the server has seen.
    struct Record: Sendable {
        var connections = 0
        var closedByClient = 0
        var requests: [RecordedRequest] = []
        var serverNames: [String] = []
        var sentBytes: [Int: Int] = [:]
        var isStopped = false
    }

    let record = Watched(Record())

    private let scripts: [[ScriptStep]]
    private let listener: StreamSocket
    private let context: TLSContext?
    private let threads = DispatchGroup()

    /// Connections that are open; guarded.
    private let sockets = Guarded<[Int: StreamSocket]>([:])

    init(listener: StreamSocket, scripts: [[ScriptStep]], context: TLSContext?) {
        self.context = context
        self.listener = listener
        self.scripts = scripts
    }

    /// Begins to accept connections, on a thread of its own.
    func start() {
        onThread { core in core.acceptConnections() }
    }

    /// Closes everything and waits until all threads have ended.
    func stop() {
        record.change { $0.isStopped = true }
        listener.shutDown()
        for socket in sockets.withLock({ Array($0.values) }) { socket.shutDown() }
        threads.wait()
        listener.close()
    }

    private func onThread(_ body: @escaping @Sendable (ServerCore) -> Void) {
        threads.enter()
        Thread.detachNewThread { [self] in
            body(self)
            threads.leave()
        }
    }

    private func acceptConnections() {
        while let socket = listener.accept() {
            let connection = record.change { record in
                defer { record.connections += 1 }
                return record.connections
            }
            sockets.withLock { $0[connection] = socket }
            // A stop that came before the socket was entered did not see it.
            guard !isStopped else { return socket.close() }
            onThread { core in
                if let script = core.script(for: connection) {
                    let channel: any ByteChannel =
                        core.context.map { TLSChannel(over: socket, $0) } ?? socket
                    var player = ScriptPlayer(core: core, channel: channel, connection: connection)
                    player.play(script)
                }
                core.sockets.withLock { $0[connection] = nil }
                socket.close()
            }
        }
    }

    private func script(for connection: Int) -> [ScriptStep]? {
        connection < scripts.count ? scripts[connection] : scripts.last
    }
}

// MARK: - What the players report

extension ServerCore {
    var isStopped: Bool { record.value.isStopped }

    func whenStopped(_ body: @escaping @Sendable () -> Void) {
        record.when({ $0.isStopped }, limit: nil, then: { _ in body() })
    }

    func received(_ request: RecordedRequest) {
        record.change { $0.requests.append(request) }
    }

    func sent(_ count: Int, on connection: Int) {
        record.change { $0.sentBytes[connection, default: 0] += count }
    }

    func clientClosed() {
        record.change { record in
            if !record.isStopped { record.closedByClient += 1 }
        }
    }
}
