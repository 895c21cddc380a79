public import Foundation

/// A server on 127.0.0.1, or on ::1, that plays exact bytes, pauses, closes and resets from a script.
///
/// ```swift
/// let server = try ScriptedServer([
///     .waitForRequest,
///     .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCD"),
///     .reset,
/// ])
/// let connection = NSURLConnection(request: server.request("/f"), delegate: delegate)
/// ```
///
/// There is one script for each connection that is accepted; the last script also serves all later
/// ones. A script may wait for several requests. With a ``TLSIdentity`` the script is played over TLS,
/// once the handshake is done; a client that breaks it off is one that closed. The server ends with the
/// last reference to it, or by ``stop()``. Any thread.
public final class ScriptedServer: Sendable {
    /// An address of this machine that only this machine reaches.
    public enum Loopback: Sendable {
        /// 127.0.0.1
        case v4
        /// ::1, which not every machine has
        case v6

        var host: String {
            switch self {
            case .v4: "127.0.0.1"
            case .v6: "[::1]"
            }
        }
    }

    /// The address that it listens on.
    public let loopback: Loopback

    /// The port that it listens on.
    public let port: Int

    private let scheme: String
    private let core: ServerCore

    /// Makes a server with a script for the first, the second and so on connection, and starts it.
    ///
    /// - Throws: An error that says which system call failed.
    public convenience init(_ scripts: [ScriptStep]..., tls: TLSIdentity? = nil) throws {
        try self.init(tls: tls) { _ in scripts }
    }

    /// Makes a server whose scripts mention its own port.
    ///
    /// - Throws: An error that says which system call failed.
    public init(
        on loopback: Loopback = .v4,
        tls: TLSIdentity? = nil,
        _ scripts: (_ port: Int) -> [[ScriptStep]]
    ) throws {
        let listener = try StreamSocket.listening(on: loopback, backlog: 1024)
        self.loopback = loopback
        port = listener.port
        scheme = tls == nil ? "http" : "https"
        core = ServerCore(listener: listener, scripts: scripts(port), context: tls?.context)
        core.start()
    }

    deinit {
        core.stop()
    }

    /// Closes everything, and waits until nothing is left.
    public func stop() {
        core.stop()
    }

    /// The URL of a path on this server.
    ///
    /// The program stops when path and host make no URL.
    public func url(_ path: String = "/", host: String? = nil) -> URL {
        guard let url = URL(string: "\(scheme)://\(host ?? loopback.host):\(port)\(path)") else {
            preconditionFailure("\(path) is no path of a URL")
        }
        return url
    }
}

// MARK: - What it has seen

extension ScriptedServer {
    /// The requests that were read so far, in the order in which they were whole.
    public var requests: [RecordedRequest] { core.record.value.requests }

    /// The host names that clients asked for in their TLS handshakes (SNI, RFC 6066 section 3).
    ///
    /// A client that asks for an address names none.
    public var serverNames: [String] { core.record.value.serverNames }

    /// How many connections were accepted so far.
    public var connectionCount: Int { core.record.value.connections }

    /// How many connections the client has closed, by FIN or RST, while a script read, sent or held.
    public var closedByClient: Int { core.record.value.closedByClient }

    /// How many bytes the kernel has taken for a connection, counted from 0.
    public func sentBytes(on connection: Int = 0) -> Int {
        core.record.value.sentBytes[connection] ?? 0
    }

    /// Waits for requests and returns all there are.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`.
    @discardableResult
    public func received(
        requests count: Int,
        limit: Duration = .patience
    ) async throws -> [RecordedRequest] {
        try await core.record.wait(for: "\(count) requests", limit: limit) {
            $0.requests.count >= count
        }
        return requests
    }

    /// Waits for connections.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`.
    public func accepted(connections count: Int, limit: Duration = .patience) async throws {
        try await core.record.wait(for: "\(count) connections", limit: limit) {
            $0.connections >= count
        }
    }

    /// Waits until the client has closed connections.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`.
    public func closedByClient(connections count: Int, limit: Duration = .patience) async throws {
        try await core.record.wait(for: "\(count) connections to be closed", limit: limit) {
            $0.closedByClient >= count
        }
    }
}
