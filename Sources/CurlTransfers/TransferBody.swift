/// The body of a request.
package enum TransferBody: Sendable {
    /// Bytes that are in memory, and can be sent again.
    case bytes(BodyBytes)

    /// Bytes that come while they are sent, and come once.
    ///
    /// With a length the source brings exactly so many. Without one HTTP/1.1 sends them in chunks
    /// (RFC 9112 section 7.1), and HTTP/2 as they come.
    case source(any BodySource, length: Int64?)

    /// How many bytes it has; nil when that is not known before.
    package var length: Int64? {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .source(_, let length): length
        }
    }
}

/// Bytes in memory, which are read from where they lie.
@safe
package struct BodyBytes: Sendable {
    /// How many there are.
    package let count: Int

    private let copy: @Sendable (Range<Int>, UnsafeMutableRawBufferPointer) -> Void

    /// Keeps the bytes; an array or a Foundation Data is not copied.
    package init(_ bytes: some RandomAccessCollection<UInt8> & Sendable) {
        count = bytes.count
        unsafe copy = { range, room in
            let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
            let end = bytes.index(start, offsetBy: range.count)
            unsafe room.copyBytes(from: bytes[start..<end])
        }
    }

    /// Copies the bytes from `offset` on, as many as there is room for; returns how many.
    func read(from offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
        let end = min(count, offset + room.count)
        guard offset < end else { return 0 }
        unsafe copy(offset..<end, room)
        return end - offset
    }
}
