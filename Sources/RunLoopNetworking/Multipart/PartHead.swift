/// The head of one part of a multipart message, gathered byte by byte.
struct PartHead {
    // A part has no status; the rules for the fields are those of a response's head.
    private var block = HeaderBlock(statusLine: Array("HTTP/1.1 200".utf8))
    private var line: [UInt8] = []
    private var byteCount = 0

    /// Whether nothing has come.
    var isEmpty: Bool { byteCount == 0 }

    /// Takes a byte; returns the fields when the empty line is whole.
    ///
    /// - Throws: ``HeaderError`` when a line is no field, or the head is too long.
    mutating func append(_ byte: UInt8) throws(HeaderError) -> [HeaderField]? {
        byteCount += 1
        guard byteCount <= MultipartParser.maximumHeadByteCount else {
            throw HeaderError(
                .tooLarge,
                "The head of a part is greater than \(MultipartParser.maximumHeadByteCount) bytes."
            )
        }
        line.append(byte)
        guard byte == UInt8(ascii: "\n") else { return nil }
        try block?.append(line: line)
        line = []
        guard let block, block.isComplete else { return nil }
        return block.fields
    }
}
