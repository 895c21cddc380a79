/// One of several codings of a body; it takes its input from the stage before it.
@safe
final class DecodingStage {
    /// How many bytes a stage may take in before the next has to bring something.
    ///
    /// Two codings of a bomb would keep the loop busy for minutes without a byte coming out.
    private static let silenceLimit = 16 << 20
    private static let bufferSize = 16 << 10

    private let decoder: StreamDecoder
    private let source: DecodingStage?

    /// What the source has brought and is not decoded yet; empty memory for the first stage.
    private let buffer: UnsafeMutableRawBufferPointer
    private var unread = 0..<0
    private var isDecoderDrained = true

    /// What was decoded before is handed out first.
    private var failure: CodingError?

    init(_ coding: ContentCoding, source: DecodingStage?) {
        decoder = StreamDecoder(coding)
        self.source = source
        unsafe buffer = .allocate(byteCount: source == nil ? 0 : Self.bufferSize, alignment: 16)
    }

    deinit {
        unsafe buffer.deallocate()
    }

    /// Decodes until the input of the first stage is used up or the output is full.
    func pull(
        into output: UnsafeMutableRawBufferPointer,
        from input: UnsafeRawBufferPointer
    ) throws(CodingError) -> DecodingProgress {
        guard let source else { return try unsafe decoder.decode(input, into: output) }
        if let failure { throw failure }
        var progress = DecodingProgress()
        do throws(CodingError) {
            var silence = 0
            while try unsafe decodeUnread(&progress, into: output) {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: input[progress.consumed...])
                let brought = try unsafe source.pull(into: buffer, from: rest)
                unread = 0..<brought.written
                progress.consumed += brought.consumed
                if brought.isDrained, brought.written == 0 {
                    progress.isDrained = true
                    break
                }
                silence = progress.written > 0 ? 0 : silence + brought.written
                guard silence <= Self.silenceLimit else {
                    throw CodingError(.silentBomb, "The body's codings expand to nothing.")
                }
            }
        } catch {
            guard progress.written > 0 else { throw error }
            failure = error
            progress.isDrained = false
        }
        return progress
    }

    /// No more bytes come.
    func end() throws(CodingError) {
        try decoder.end()
    }

    /// Returns whether more is needed from the source.
    private func decodeUnread(
        _ progress: inout DecodingProgress,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> Bool {
        // Asked for nothing again and again, zstd loses its patience.
        guard !unread.isEmpty || !isDecoderDrained else { return true }
        let step = try unsafe decoder.decode(
            UnsafeRawBufferPointer(rebasing: buffer[unread]),
            into: UnsafeMutableRawBufferPointer(rebasing: output[progress.written...])
        )
        unread = (unread.lowerBound + step.consumed)..<unread.upperBound
        progress.written += step.written
        isDecoderDrained = step.isDrained
        return step.isDrained
    }
}
