private import Glibc

/// Two descriptors of which one hears what is written to the other; both are closed by `deinit`.
final class DescriptorPair: Sendable {
    let reader: Int32
    let writer: Int32

    /// A pipe.
    convenience init() {
        unsafe self.init { unsafe pipe($0) }
    }

    /// Two connected sockets: each end reads and writes.
    static func sockets() -> DescriptorPair {
        unsafe DescriptorPair {
            unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, $0)
        }
    }

    private init(_ open: (UnsafeMutablePointer<Int32>) -> Int32) {
        var pair: [Int32] = [-1, -1]
        let result = unsafe pair.withUnsafeMutableBufferPointer { buffer in
            guard let address = buffer.baseAddress else { return Int32(-1) }
            return unsafe open(address)
        }
        precondition(result == 0, "no descriptors are left")
        (reader, writer) = (pair[0], pair[1])
        for descriptor in pair { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Makes the reader readable by so many bytes.
    func write(count: Int = 1) {
        let bytes = [UInt8](repeating: 1, count: count)
        let written = unsafe Glibc.write(writer, bytes, count)
        precondition(written == count, "the pair is full")
    }

    /// Takes bytes out of the reader; returns how many there were.
    @discardableResult
    func read(upTo limit: Int = 65_536) -> Int {
        var bytes = [UInt8](repeating: 0, count: limit)
        return max(0, unsafe Glibc.read(reader, &bytes, limit))
    }

    /// Writes until the writer is not writable any more.
    func fill() {
        let bytes = [UInt8](repeating: 1, count: 65_536)
        while unsafe Glibc.write(writer, bytes, bytes.count) > 0 {}
    }
}
