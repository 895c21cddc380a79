private import CZstd

/// Zstandard's decoder.
///
/// - SeeAlso: <https://facebook.github.io/zstd/zstd_manual.html>
@safe
final class ZstdDecompressor: Decompressor {
    /// The largest window that a content coding may ask for: 8 MiB (RFC 9659 section 3).
    private static let windowLog: Int32 = 23

    private let context: OpaquePointer

    init() {
        guard let context = unsafe ZSTD_createDCtx() else {
            preconditionFailure("ZSTD_createDCtx found no memory")
        }
        unsafe self.context = context
        let code = unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog)
        precondition(ZSTD_isError(code) == 0, "zstd refused the bound of its window")
    }

    deinit {
        unsafe ZSTD_freeDCtx(context)
    }

    /// The library begins another frame by itself.
    func begin() {}

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let code = unsafe ZSTD_decompressStream(context, &target, &source)
        var step = DecompressorStep()
        unsafe step.consumed = source.pos
        unsafe step.written = target.pos
        if ZSTD_isError(code) != 0 {
            step.end = .corrupt(unsafe String(cString: ZSTD_getErrorName(code)))
        } else if code == 0 {
            step.end = .sound
        }
        return step
    }
}
