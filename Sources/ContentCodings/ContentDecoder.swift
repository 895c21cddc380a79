/// Decodes a body through all its codings, piece by piece, in constant memory.
///
/// Whoever calls says how much may come out; what a piece of input would bring beyond that stays in
/// the libraries' own state until the next call. One thread at a time.
package final class ContentDecoder {
    private let stages: [DecodingStage]

    /// Makes a decoder for codings in the order in which they are taken off.
    package init(_ codings: [ContentCoding]) {
        precondition(!codings.isEmpty, "a body without codings needs no decoder")
        var stages: [DecodingStage] = []
        for coding in codings { stages.append(DecodingStage(coding, source: stages.last)) }
        self.stages = stages
    }

    /// Decodes until the input is used up or the output is full.
    ///
    /// - Returns: How far it came; call again with the rest, be it empty, until that is drained.
    /// - Throws: ``CodingError``, after all that was decoded before it has come out.
    package func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> DecodingProgress {
        unsafe try stages[stages.count - 1].pull(into: output, from: input)
    }

    /// No more input comes, and the decoder is drained.
    ///
    /// - Throws: ``CodingError`` when something is missing.
    package func end() throws(CodingError) {
        for stage in stages { try stage.end() }
    }
}
