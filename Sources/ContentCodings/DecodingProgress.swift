/// How far one call of a decoder came.
package struct DecodingProgress: Equatable {
    /// How many bytes of the input were used.
    package var consumed = 0

    /// How many bytes were put into the output.
    package var written = 0

    /// Whether nothing more comes out without more input; otherwise the decoder is to be called again.
    package var isDrained = false

    /// Nothing has happened.
    package init() {}
}
