private import Glibc

/// The plain network connections that wait for their next request.
///
/// What comes on one of them while no request is out answers none, and the connection is not to be
/// used again (RFC 9112 section 9.2). libcurl 7.88.1 takes such bytes for the next response. A
/// connection that has some is shut down here before the request goes out: libcurl finds that it
/// died, as idle ones do, and sends the request on another. TLS brings bytes of its own at any time,
/// so its connections are not looked at.
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
    func leave(port: Int) {
        guard let socket = ports.first(where: { $0.value == port })?.key else { return }
        ports[socket] = nil
        guard Self.port(of: socket) == port, Self.hasBytes(socket) else { return }
        shutdown(socket, Int32(SHUT_WR))
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
