private import Glibc

/// The network connections that wait for their next request.
///
/// libcurl 7.88.1 takes bytes that have come meanwhile for a sign of life. Here it is looked at them once
/// more before a request goes out, so that one that nobody will read is told from one that somebody
/// may have read:
///
/// - A server that has closed reads nothing more. Over TLS its last bytes (close_notify) hide that from
///   libcurl.
/// - What comes without TLS while no request is out answers none, and the network connection is not to be
///   used again (RFC 9112 section 9.2). It is shut down: libcurl finds that it died, as idle ones do, and
///   sends the request on another. TLS brings bytes of its own at any time.
///
/// Loop affinity.
final class IdleConnections {
    // libcurl does not say when it closes one, and another socket may have the number by then: the
    // port on this side tells.
    private var ports: [Int32: Int] = [:]

    /// A transfer is over, and libcurl keeps its network connection.
    func enter(_ socket: Int32) {
        ports[socket] = Self.port(of: socket)
    }

    /// A request is about to go out on the network connection that has this port on this side.
    ///
    /// Returns false when nobody will read it.
    func leave(port: Int, usesTLS: Bool) -> Bool {
        guard let socket = ports.first(where: { $0.value == port })?.key else { return true }
        ports[socket] = nil
        guard Self.port(of: socket) == port else { return true }
        if Self.isClosed(socket) { return false }
        guard !usesTLS, Self.hasBytes(socket) else { return true }
        shutdown(socket, Int32(SHUT_WR))
        return false
    }

    /// Whether the other side sends nothing more, even if something of it is still to be read.
    private static func isClosed(_ socket: Int32) -> Bool {
        // POLLRDHUP, which Glibc hides behind a feature macro.
        let isDone: Int16 = 0x2000
        var descriptor = pollfd(fd: socket, events: isDone, revents: 0)
        return unsafe poll(&descriptor, 1, 0) > 0
    }

    private static func hasBytes(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Both families have the port in the same place.
    static func port(of socket: Int32) -> Int? {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isKnown = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe getsockname(socket, start, &size) == 0
        }
        return isKnown ? Int(UInt16(bigEndian: address.sin6_port)) : nil
    }
}
