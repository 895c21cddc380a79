/// The head of one response: its status line and its fields, gathered line by line.
///
/// The lines are those that libcurl's header callback hands over, one for each call: the status
/// line first, the empty line last
/// (https://curl.se/libcurl/c/CURLOPT_HEADERFUNCTION.html). Every status line begins a new block,
/// so that an interim response and the final one are two blocks. Trailers are a block of their own
/// (``withoutFields``).
struct HeaderBlock: Sendable {
    /// The greatest number of bytes that one head may have, line ends included.
    static let maximumByteCount = 256 * 1024

    /// The greatest number of fields that one head may have.
    static let maximumFieldCount = 1_000

    /// The three digits of the status line.
    let statusCode: Int

    /// The version as the status line spells it, such as `HTTP/1.1` or `HTTP/2`.
    let httpVersion: String

    /// The reason phrase, which may be empty.
    let reason: String

    /// The fields as sent, in order of arrival.
    private(set) var fields: [HeaderField] = []

    /// Whether the empty line has come.
    private(set) var isComplete = false

    private var byteCount = 0

    /// Begins a block with its status line; nil if the line is none (RFC 9112 section 4).
    ///
    /// Try this with the first line only. A field of a hostile server may look like a status line.
    init?(statusLine: some Collection<UInt8>) {
        let content = WireText.withoutLineEnd(statusLine)
        guard
            statusLine.count <= Self.maximumByteCount,
            let first = content.first,
            !WireText.isBlank(first),
            !content.contains(where: WireText.isForbiddenControl)
        else { return nil }
        let parts = content.split(maxSplits: 2, whereSeparator: WireText.isBlank)
        guard
            parts.count >= 2,
            let httpVersion = Self.version(parts[0]),
            let statusCode = Self.statusCode(parts[1])
        else { return nil }
        self.statusCode = statusCode
        self.httpVersion = httpVersion
        reason = parts.count > 2 ? WireText.decode(WireText.trimBlanks(parts[2])) : ""
        byteCount = statusLine.count
    }

    /// Makes a complete block of values that are known already, such as those of an archive.
    init(statusCode: Int, httpVersion: String, reason: String, fields: [HeaderField]) {
        self.statusCode = statusCode
        self.httpVersion = httpVersion
        self.reason = reason
        self.fields = fields
        isComplete = true
    }

    /// An empty block of the same response, for the trailers that may follow its body.
    var withoutFields: HeaderBlock {
        var block = self
        block.fields = []
        block.isComplete = false
        block.byteCount = 0
        return block
    }

    /// Adds the next line, line end included; the empty line completes the block.
    ///
    /// A line that begins with a blank carries on the value before it (RFC 9112 section 5.2).
    /// Blanks between a name and its colon are removed (section 5.1). A block that refused a line
    /// is not to be used any more.
    ///
    /// - Throws: `HeaderError` if the line is no field, or if the head grows beyond its bounds.
    mutating func append(line: some Collection<UInt8>) throws(HeaderError) {
        guard !isComplete else {
            throw HeaderError(.lineAfterEnd, "A header line came after the end of the head.")
        }
        byteCount += line.count
        guard byteCount <= Self.maximumByteCount else {
            throw HeaderError(
                .tooLarge,
                "The head of the response is greater than \(Self.maximumByteCount) bytes."
            )
        }
        let content = WireText.withoutLineEnd(line)
        guard let first = content.first else {
            isComplete = true
            return
        }
        guard !content.contains(where: WireText.isForbiddenControl) else {
            throw HeaderError(.controlByte, "A header line contains a control byte.")
        }
        if WireText.isBlank(first) {
            try appendFold(content)
        } else {
            try appendField(content)
        }
    }

    private mutating func appendField(_ content: ArraySlice<UInt8>) throws(HeaderError) {
        guard fields.count < Self.maximumFieldCount else {
            throw HeaderError(
                .tooManyFields,
                "The head of the response has more than \(Self.maximumFieldCount) fields."
            )
        }
        guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else {
            throw HeaderError(.missingColon, "A header line has no colon.")
        }
        let name = WireText.trimBlanks(content[..<colon])
        guard !name.isEmpty else {
            throw HeaderError(.emptyName, "A header line has no name before its colon.")
        }
        guard !name.contains(UInt8(ascii: "\t")) else {
            throw HeaderError(.controlByte, "The name of a header field contains a tab.")
        }
        let value = WireText.trimBlanks(content[content.index(after: colon)...])
        fields.append(HeaderField(name: WireText.decode(name), value: WireText.decode(value)))
    }

    private mutating func appendFold(_ content: ArraySlice<UInt8>) throws(HeaderError) {
        guard let last = fields.indices.last else {
            throw HeaderError(.foldWithoutField, "A folded line follows the status line.")
        }
        let continuation = WireText.decode(WireText.trimBlanks(content))
        guard !continuation.isEmpty else { return }
        if !fields[last].value.isEmpty {
            fields[last].value += " "
        }
        fields[last].value += continuation
    }

    private static func version(_ part: ArraySlice<UInt8>) -> String? {
        let number = part.dropFirst(5)
        guard part.starts(with: "HTTP/".utf8), let major = number.first, isDigit(major) else {
            return nil
        }
        let minor = number.dropFirst()
        let isWhole =
            minor.isEmpty
            || minor.count == 2 && minor.first == UInt8(ascii: ".")
                && minor.last.map(isDigit) == true
        return isWhole ? WireText.decode(part) : nil
    }

    private static func statusCode(_ part: ArraySlice<UInt8>) -> Int? {
        guard part.count == 3, part.allSatisfy(isDigit), part.first != UInt8(ascii: "0") else {
            return nil
        }
        return part.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

// MARK: - Equality

extension HeaderBlock: Equatable {
    /// Compares what the server said, not how many bytes it took to say it.
    static func == (one: HeaderBlock, other: HeaderBlock) -> Bool {
        one.statusCode == other.statusCode
            && one.httpVersion == other.httpVersion
            && one.reason == other.reason
            && one.fields == other.fields
    }
}
