private import CZlib

/// zlib's decoder, for gzip and both kinds of deflate.
///
/// - SeeAlso: <https://zlib.net/manual.html>
@safe
final class ZlibDecompressor: Decompressor {
    enum Format {
        case gzip
        case deflate
    }

    private let format: Format

    // zlib keeps the address of the structure.
    private let stream: UnsafeMutablePointer<z_stream>

    /// First bytes of a deflate stream, until they have told what stands round it.
    private var prefix: [UInt8] = []
    private var isDecided = true

    /// Bytes of the prefix that zlib has not taken yet.
    private var leftOfPrefix: ArraySlice<UInt8> = []

    init(_ format: Format) {
        self.format = format
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let code = unsafe shim_inflate_init(stream, Self.windowBits(for: .zlib, format))
        precondition(code == Z_OK, "zlib found no memory, or is another one than it says")
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func begin() {
        isDecided = format == .gzip
        prefix = []
        leftOfPrefix = []
        if isDecided { reset(for: .zlib) }
    }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        var step = DecompressorStep()
        if !isDecided { unsafe decide(input, &step) }
        guard isDecided else { return step }
        if !leftOfPrefix.isEmpty {
            let first = unsafe leftOfPrefix.withUnsafeBytes { unsafe inflate($0, into: output) }
            leftOfPrefix.removeFirst(first.consumed)
            step.written = first.written
            step.end = first.end
            guard case .none = first.end, leftOfPrefix.isEmpty, first.written < output.count else {
                return step
            }
        }
        let second = unsafe inflate(
            UnsafeRawBufferPointer(rebasing: input[step.consumed...]),
            into: UnsafeMutableRawBufferPointer(rebasing: output[step.written...])
        )
        step.consumed += second.consumed
        step.written += second.written
        step.end = second.end
        return step
    }

    private func decide(_ input: UnsafeRawBufferPointer, _ step: inout DecompressorStep) {
        while step.consumed < input.count {
            unsafe prefix.append(input[step.consumed])
            step.consumed += 1
            guard let wrapping = DeflateWrapping.of(prefix) else { continue }
            isDecided = true
            leftOfPrefix = prefix[...]
            reset(for: wrapping)
            return
        }
    }

    private func reset(for wrapping: DeflateWrapping) {
        let code = unsafe inflateReset2(stream, Self.windowBits(for: wrapping, format))
        precondition(code == Z_OK, "zlib refused to begin another stream")
    }

    /// The largest window, and what stands round the stream, in zlib's way of saying it.
    private static func windowBits(for wrapping: DeflateWrapping, _ format: Format) -> Int32 {
        switch format {
        case .gzip: MAX_WBITS + 16
        case .deflate: wrapping == .zlib ? MAX_WBITS : -MAX_WBITS
        }
    }

    private func inflate(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        let start = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        // zlib's header leaves out the const, and zlib does not write there.
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: start)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = unsafe output.baseAddress?
            .assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        var step = DecompressorStep()
        step.consumed = unsafe input.count - Int(stream.pointee.avail_in)
        step.written = unsafe output.count - Int(stream.pointee.avail_out)
        switch code {
        // Z_BUF_ERROR: it needs more input, or more room.
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: step.end = .sound
        default: step.end = .corrupt(unsafe stream.pointee.msg.map { unsafe String(cString: $0) })
        }
        // The addresses are no good after this call.
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
        return step
    }
}
