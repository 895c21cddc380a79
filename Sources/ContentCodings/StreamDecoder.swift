/// Decodes all streams of one coding in a body, one behind the other.
final class StreamDecoder {
    private let coding: ContentCoding
    private let decompressor: any Decompressor
    private var framing: StreamFraming

    /// What was decoded before is handed out first.
    private var failure: CodingError?

    init(_ coding: ContentCoding) {
        self.coding = coding
        framing = StreamFraming(coding)
        decompressor =
            switch coding {
            case .gzip: ZlibDecompressor(.gzip)
            case .deflate: ZlibDecompressor(.deflate)
            case .brotli: BrotliDecompressor()
            case .zstd: ZstdDecompressor()
            }
    }

    /// Decodes until the input is used up or the output is full.
    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> DecodingProgress {
        if let failure { throw failure }
        var progress = DecodingProgress()
        do throws(CodingError) {
            while try unsafe advance(&progress, input, output) {}
        } catch {
            guard progress.written > 0 else { throw error }
            failure = error
            progress.isDrained = false
        }
        return progress
    }

    /// No more bytes come.
    func end() throws(CodingError) {
        try framing.inputEnded()
    }

    /// Returns false when there is nothing more to do for now.
    private func advance(
        _ progress: inout DecodingProgress,
        _ input: UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> Bool {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: input[progress.consumed...])
        if !framing.isInside {
            guard let byte = unsafe rest.first else {
                progress.isDrained = true
                return false
            }
            switch try framing.next(byte) {
            case .skip:
                progress.consumed += 1
                return true
            case .begin:
                decompressor.begin()
            case .decode:
                break
            }
        }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[progress.written...])
        guard unsafe !room.isEmpty else { return false }
        let step = unsafe decompressor.step(rest, into: room)
        progress.consumed += step.consumed
        progress.written += step.written
        switch step.end {
        case .sound:
            framing.streamEnded()
            return true
        case .corrupt(let word):
            throw corrupt(word)
        case .none:
            guard step.written < room.count else { return false }
            guard step.consumed == rest.count else {
                guard step.consumed + step.written > 0 else { throw corrupt(nil) }
                return true
            }
            progress.isDrained = true
            return false
        }
    }

    private func corrupt(_ word: String?) -> CodingError {
        let reason = word.map { ": \($0)" } ?? ""
        return CodingError(.corrupt, "The body is no sound \(coding.name) stream\(reason).")
    }
}
