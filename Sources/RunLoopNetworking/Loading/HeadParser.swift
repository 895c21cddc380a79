/// Tells a response's head from interim heads before it and trailers behind it.
///
/// libcurl hands over all three in the same way, line by line, and bounds none of them for good.
struct HeadParser {
    /// How many interim heads may come before the response.
    ///
    /// RFC 9110 section 15.2 has no bound. A server that sends more than this says nothing else.
    static let maximumInterimCount = 100

    private var block: HeaderBlock?
    private var interimCount = 0

    /// The fields behind the body; checked as those of a head are, and not handed on.
    private var trailers: HeaderBlock?

    /// Whether the head of the response is whole.
    var isOver: Bool { trailers != nil }

    /// Whether the first line of a response has come.
    private(set) var hasBegun = false

    /// What a line brought.
    enum Outcome {
        /// More lines are to come.
        case more
        /// The head of the response is whole.
        case head(HeaderBlock)
        /// A field behind the body, which is no part of the response (RFC 9110 section 6.5).
        case trailer
    }

    /// Takes the next line, line end included.
    ///
    /// - Throws: ``HeaderError`` when the line can't belong to a response.
    mutating func append(_ line: [UInt8]) throws(HeaderError) -> Outcome {
        hasBegun = true
        if trailers != nil {
            try trailers?.append(line: line)
            return .trailer
        }
        guard var block else {
            guard let first = HeaderBlock(statusLine: line) else {
                throw HeaderError(.badStatusLine, "The response does not begin with a status line.")
            }
            self.block = first
            return .more
        }
        // One owner at a time: the fields are appended to in place.
        self.block = nil
        try block.append(line: line)
        guard block.isComplete else {
            self.block = block
            return .more
        }
        // 1xx says that the response is still to come (RFC 9110 section 15.2).
        if (100..<200).contains(block.statusCode) {
            try countInterim()
            return .more
        }
        trailers = block.withoutFields
        return .head(block)
    }

    private mutating func countInterim() throws(HeaderError) {
        interimCount += 1
        guard interimCount <= Self.maximumInterimCount else {
            throw HeaderError(
                .tooManyInterimHeads,
                "More than \(Self.maximumInterimCount) interim responses came, and no other."
            )
        }
    }
}
