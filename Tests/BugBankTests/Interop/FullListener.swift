private import Glibc

/// A socket that listens and never accepts, whose queue is full: the kernel drops what comes then.
final class FullListener: Sendable {
    let port: Int
    private let descriptors: [Int32]

    /// Listens on ::1 at a port, or on 127.0.0.1 at one that is free; nil when the port can't be had.
    init?(v6Port: Int? = nil) {
        let family = v6Port == nil ? AF_INET : AF_INET6
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let listener = socket(family, type, 0)
        var address = Self.address(v6Port: v6Port)
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        var descriptors = [listener]
        let isListening = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                unsafe bind(listener, start, size) == 0, listen(listener, 0) == 0,
                unsafe getsockname(listener, start, &size) == 0
            else { return false }
            // More than the queue holds; the last of these are not answered any more.
            for _ in 0..<8 {
                let client = socket(family, type, 0)
                _ = unsafe connect(client, start, size)
                descriptors.append(client)
            }
            return true
        }
        port = Int(UInt16(bigEndian: address.sin6_port))
        self.descriptors = descriptors
        if !isListening { return nil }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    /// Room for both families, which have the port in the same place.
    private static func address(v6Port: Int?) -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(v6Port == nil ? AF_INET : AF_INET6)
        address.sin6_port = UInt16(v6Port ?? 0).bigEndian
        if v6Port != nil {
            address.sin6_addr = in6addr_loopback
        } else {
            // Where sockaddr_in has its address.
            address.sin6_flowinfo = UInt32(0x7F00_0001).bigEndian
        }
        return address
    }
}
