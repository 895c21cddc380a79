/// A library's decoder for one stream of a coding.
protocol Decompressor: AnyObject {
    /// Makes ready for another stream.
    func begin()

    /// Decodes until the input is used up, the output is full, or the stream ends.
    ///
    /// An empty input asks for what the library still holds.
    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep
}

/// How far a decompressor came.
struct DecompressorStep {
    enum End {
        /// The stream goes on.
        case none
        /// The stream is whole, its checksum included.
        case sound
        /// The stream is broken; the library's word for it where it has one.
        case corrupt(String?)
    }

    var consumed = 0
    var written = 0
    var end = End.none
}
