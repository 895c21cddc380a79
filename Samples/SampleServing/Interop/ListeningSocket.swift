private import EventLoops
private import Glibc

/// A socket that listens on 127.0.0.1, so that only this machine reaches it.
final class ListeningSocket: Sendable {
    /// The port, as the system gave it.
    let port: UInt16

    /// Guarded by the mutex; nil once it was taken or closed.
    private let descriptor: Guarded<Int32?>

    /// Listens on `port`, or on any free port for 0.
    ///
    /// - Throws: ``SampleServerError`` when the port is taken or the system refuses.
    init(port: UInt16) throws(SampleServerError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard let bound = Self.listen(descriptor, port) else {
            let systemCode = errno
            close(descriptor)
            throw SampleServerError(port: port, systemCode: systemCode)
        }
        self.port = bound
        self.descriptor = Guarded(descriptor)
    }

    deinit {
        closeUnlessTaken()
    }

    /// Hands over the descriptor to somebody who will close it; nil when it is gone.
    func take() -> Int32? {
        descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
    }

    /// Frees the port, unless somebody took the descriptor over.
    func closeUnlessTaken() {
        if let descriptor = take() { close(descriptor) }
    }

    /// Binds and listens; returns the port, or nil with errno set.
    private static func listen(_ descriptor: Int32, _ port: UInt16) -> UInt16? {
        // A port whose last connections have just been closed can be used again at once.
        var on: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(4))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0
                    && Glibc.listen(descriptor, SOMAXCONN) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        return isListening ? UInt16(bigEndian: address.sin_port) : nil
    }
}
