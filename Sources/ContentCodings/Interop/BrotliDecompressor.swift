private import CBrotli

/// Brotli's decoder; its window is at most 16 MiB.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc7932>
@safe
final class BrotliDecompressor: Decompressor {
    private let state: OpaquePointer

    init() {
        guard let state = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else {
            preconditionFailure("BrotliDecoderCreateInstance found no memory")
        }
        unsafe self.state = state
    }

    deinit {
        unsafe BrotliDecoderDestroyInstance(state)
    }

    /// There is one stream in a body.
    func begin() {}

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        var nextIn = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var availableIn = input.count
        var nextOut = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var availableOut = output.count
        let result = unsafe BrotliDecoderDecompressStream(
            state,
            &availableIn,
            &nextIn,
            &availableOut,
            &nextOut,
            nil
        )
        var step = DecompressorStep()
        step.consumed = input.count - availableIn
        step.written = output.count - availableOut
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS:
            step.end = .sound
        case BROTLI_DECODER_RESULT_ERROR:
            let code = unsafe BrotliDecoderGetErrorCode(state)
            let word = unsafe BrotliDecoderErrorString(code)
            step.end = .corrupt(unsafe word.map { unsafe String(cString: $0) })
        default: break
        }
        return step
    }
}
