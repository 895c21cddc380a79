private import Glibc

/// A socket that speaks to a server byte by byte; what blocks too long fails.
final class RawConnection {
    /// How a read ended.
    enum Piece: Equatable {
        case bytes([UInt8])
        case end
        case failed(Int32)
    }

    private let descriptor: Int32

    /// Whether somebody listened.
    let isConnected: Bool

    init(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        isConnected = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, size) == 0
            }
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a GET for a path.
    func get(_ path: String) {
        send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        precondition(count == bytes.count, "a short request was not sent whole")
    }

    /// Waits for the next bytes, the end, or a failure.
    func read(atMost limit: Int = 65_536) -> Piece {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { bytes, initialized in
            count = unsafe recv(descriptor, bytes.baseAddress, limit, 0)
            initialized = max(0, count)
        }
        if count == 0 { return .end }
        return count > 0 ? .bytes(bytes) : .failed(errno)
    }

    /// Reads until a text has come; nil when the end came first.
    func read(until mark: String) -> String? {
        var text = ""
        while !text.contains(mark) {
            guard case .bytes(let bytes) = read() else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    /// Reads to the end; returns how many bytes came and how it ended.
    func readToEnd() -> (count: Int, end: Piece) {
        var count = 0
        while true {
            let piece = read()
            guard case .bytes(let bytes) = piece else { return (count, piece) }
            count += bytes.count
        }
    }

    static let connectionReset = Piece.failed(ECONNRESET)
}
