private import CLibevent

/// The block that every pattern file repeats, made once for the process and never let go of.
///
/// Its first eight bytes are never used: each block of a file has its own number there.
@safe
struct PatternBlock: Sendable {
    static let shared = PatternBlock()

    // A `let` to memory that nobody writes to after `init`.
    private nonisolated(unsafe) let pointer: UnsafePointer<UInt8>

    private init() {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Pattern.blockSize)
        for offset in 0..<Pattern.blockSize {
            let number = offset / 8
            let byte = UInt8(truncatingIfNeeded: number >> (8 * (offset % 8)))
            unsafe (memory + offset).initialize(to: byte)
        }
        unsafe pointer = UnsafePointer(memory)
    }

    /// Shows the bytes of a part of the block.
    func withBytes(in range: Range<Int>, _ body: (Span<UInt8>) -> Void) {
        precondition(range.lowerBound >= 0 && range.upperBound <= Pattern.blockSize)
        let bytes = unsafe Span(_unsafeStart: pointer + range.lowerBound, count: range.count)
        body(bytes)
    }

    /// Appends a part of the block to an evbuffer, which refers to it and copies nothing.
    ///
    /// See <https://libevent.org/doc/buffer_8h.html>, evbuffer_add_reference.
    func append(_ range: Range<Int>, to buffer: OpaquePointer) {
        precondition(range.lowerBound >= 0 && range.upperBound <= Pattern.blockSize)
        let result = unsafe evbuffer_add_reference(
            buffer,
            pointer + range.lowerBound,
            range.count,
            nil,
            nil
        )
        precondition(result == 0, "evbuffer_add_reference failed: no memory is left")
    }
}
