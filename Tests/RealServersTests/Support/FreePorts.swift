import Glibc

/// Ports of the loopback that nobody uses.
enum FreePorts {
    /// Finds `count` different ports; they are free when this returns.
    static func take(_ count: Int) -> [UInt16] {
        var open: [Int32] = []
        defer { for descriptor in open { close(descriptor) } }
        return (0..<count).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            open.append(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    _ = unsafe bind(descriptor, address, length)
                    _ = unsafe getsockname(descriptor, address, &length)
                }
            }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// Whether somebody listens at a port of 127.0.0.1.
    static func isOpen(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, length) == 0
            }
        }
    }
}
