private import EventLoops
private import Glibc

/// A TCP socket of the loopback interface, blocking.
///
/// One thread accepts, reads, writes and closes. Any thread may call ``shutDown()``, which ends
/// what that thread waits for.
final class StreamSocket: Sendable {
    private let descriptor: Int32

    /// Guarded: a closed descriptor's number may be another's by now.
    private let isClosed = Guarded(false)

    /// Why a socket can't be had.
    struct SetUpError: Error, CustomStringConvertible {
        let description: String

        init(_ call: StaticString) {
            description = "\(call) failed: \(unsafe String(cString: strerror(errno)))"
        }
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close()
    }

    /// Makes a socket that listens on a free port of 127.0.0.1, or of ::1.
    static func listening(
        on loopback: ScriptedServer.Loopback = .v4,
        backlog: Int32
    ) throws(SetUpError) -> StreamSocket {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(loopback == .v4 ? AF_INET : AF_INET6, type, 0)
        guard descriptor >= 0 else { throw SetUpError("socket") }
        let made = StreamSocket(descriptor: descriptor)
        var (fourth, sixth) = (sockaddr_in.loopback, sockaddr_in6.loopback)
        let isBound =
            loopback == .v4
            ? unsafe made.bind(to: &fourth) : unsafe made.bind(to: &sixth)
        guard isBound else { throw SetUpError("bind") }
        guard listen(descriptor, backlog) == 0 else { throw SetUpError("listen") }
        return made
    }

    @unsafe private func bind<Address>(to address: inout Address) -> Bool {
        unsafe withUnsafeBytes(of: &address) { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe Glibc.bind(descriptor, start, socklen_t(bytes.count)) == 0
        }
    }

    /// The port on this side; both families have it in the same place.
    var port: Int {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            _ = unsafe getsockname(descriptor, start, &size)
        }
        return Int(UInt16(bigEndian: address.sin6_port))
    }
}

extension sockaddr_in {
    fileprivate static var loopback: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

extension sockaddr_in6 {
    fileprivate static var loopback: sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return address
    }
}

// MARK: - Connections

extension StreamSocket {
    /// Waits for the next connection; nil once the socket was shut down.
    func accept() -> StreamSocket? {
        while true {
            let accepted = Glibc.accept(descriptor, nil, nil)
            if accepted >= 0 {
                let socket = StreamSocket(descriptor: accepted)
                // A script's pieces go out as they are written.
                socket.setOption(IPPROTO_TCP, TCP_NODELAY, 1)
                // And a client that does not read is felt soon.
                socket.setOption(Int(SOL_SOCKET), SO_SNDBUF, 1 << 17)
                return socket
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Ends everything that a thread does on the socket, from any thread.
    func shutDown() {
        isClosed.withLock { isClosed in
            if !isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Closes the descriptor; it is not used afterwards.
    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { Glibc.close(descriptor) }
            isClosed = true
        }
    }

    private func setOption(_ level: Int, _ option: Int32, _ value: Int32) {
        var value = value
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(descriptor, Int32(level), option, &value, size)
    }
}

// MARK: - ByteChannel

extension StreamSocket: ByteChannel {
    /// There is nothing to agree on.
    func open() -> Bool { true }

    func finishSending(orderly: Bool) {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout.size(ofValue: linger))
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
    }

    func receive(atMost count: Int) -> [UInt8] {
        receive(atMost: count, flags: 0)
    }

    func receiveWaiting(atMost count: Int) -> [UInt8] {
        receive(atMost: count, flags: Int32(MSG_DONTWAIT))
    }

    private func receive(atMost count: Int, flags: Int32) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var taken: Int
            repeat {
                taken = unsafe recv(descriptor, buffer.baseAddress, count, flags)
            } while taken < 0 && errno == EINTR
            initialized = max(taken, 0)
        }
    }

    func send(
        _ bytes: ArraySlice<UInt8>,
        patience: Int32,
        stalled: () -> Void
    ) -> Int? {
        while true {
            let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
            let sent = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
            }
            if sent >= 0 { return sent }
            switch errno {
            case EINTR: continue
            case EAGAIN: if !waitForRoom(milliseconds: patience) { stalled() }
            default: return nil
            }
        }
    }

    private func waitForRoom(milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&wanted, 1, milliseconds) != 0
    }
}
