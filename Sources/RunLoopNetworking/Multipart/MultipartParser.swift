/// Takes the body of a multipart message apart, piece by piece (RFC 2046 section 5.1).
///
/// Nothing of a part's data is kept but what may be the beginning of a delimiter. What stands before
/// the first delimiter and behind the last is dropped. Parts that are multipart themselves are not
/// taken apart.
struct MultipartParser {
    /// What a piece of the body brought.
    enum Event: Equatable {
        /// A part begins; these are its own fields.
        case part([HeaderField])
        /// Bytes of the piece at hand belong to the part.
        case data(Range<Int>)
        /// Bytes of earlier pieces, which looked like a delimiter, belong to the part.
        case held([UInt8])
        /// The part is whole.
        case partEnd
    }

    /// How a body ended.
    enum Ending: Equatable {
        /// Behind its closing delimiter.
        case closed
        /// Behind a delimiter that has another part follow.
        case betweenParts
        /// In the head or the data of a part.
        case insidePart
        /// Before the first delimiter.
        case withoutPart
    }

    private enum State {
        case preamble
        case head
        case data
        case closed
    }

    /// The greatest number of bytes in the head of a part.
    static let maximumHeadByteCount = 16 << 10

    /// The greatest number of bytes in a boundary; RFC 2046 allows 70.
    static let maximumBoundaryByteCount = 256

    private var state = State.preamble
    private var delimiter: MultipartDelimiter
    private var held: [UInt8] = []

    /// How many bytes are held back because they may become a delimiter.
    var heldCount: Int { held.count }

    private var head = PartHead()

    /// Makes a parser; nil when the boundary is empty or too long to be one.
    init?(boundary: String) {
        let bytes = Array(boundary.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.maximumBoundaryByteCount,
            !bytes.contains(where: WireText.isForbiddenControl)
        else { return nil }
        delimiter = MultipartDelimiter(boundary: bytes)
    }

    /// Takes the next piece of the body.
    ///
    /// - Throws: ``HeaderError`` when the head of a part is malformed or too long.
    mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(HeaderError) -> [Event] {
        var events: [Event] = []
        var place = 0
        while place < bytes.count {
            switch state {
            case .head:
                unsafe try takeHead(bytes[place], &events)
                place += 1
            case .preamble, .data:
                unsafe takeData(bytes, &place, &events)
            case .closed:
                return events
            }
        }
        return events
    }

    /// The body is over: what was held back belongs to the part if it is no delimiter.
    mutating func end() -> (events: [Event], ending: Ending) {
        switch state {
        case .closed:
            return ([], .closed)
        case .preamble:
            return ([], delimiter.isWholeAtEnd ? .betweenParts : .withoutPart)
        case .head:
            return ([], head.isEmpty ? .betweenParts : .insidePart)
        case .data where delimiter.isWholeAtEnd:
            return ([.partEnd], .betweenParts)
        case .data:
            defer { held = [] }
            return (held.isEmpty ? [] : [.held(held)], .insidePart)
        }
    }
}

// MARK: - Heads

extension MultipartParser {
    private mutating func takeHead(
        _ byte: UInt8,
        _ events: inout [Event]
    ) throws(HeaderError) {
        guard let fields = try head.append(byte) else { return }
        head = PartHead()
        state = .data
        // A part without data may have its delimiter right here.
        delimiter.beginLine()
        events.append(.part(fields))
    }
}

// MARK: - Data

extension MultipartParser {
    private mutating func takeData(
        _ bytes: UnsafeRawBufferPointer,
        _ place: inout Int,
        _ events: inout [Event]
    ) {
        let start = place
        /// Where what may be a delimiter begins in this piece.
        var candidate = start
        while place < bytes.count {
            switch unsafe delimiter.take(bytes[place]) {
            case .outside:
                unsafe skipToLineBreak(bytes, &place)
                candidate = place
            case .possible:
                place += 1
            case .mistaken:
                // The bytes that were held back come first.
                giveBack(&events)
                candidate = place
            case .part:
                place += 1
                return endPart(start..<candidate, next: .head, &events)
            case .close:
                place += 1
                return endPart(start..<candidate, next: .closed, &events)
            }
        }
        tell(start..<candidate, &events)
        if state == .data { unsafe held += bytes[candidate...] }
    }

    /// Goes to the next byte that can begin a delimiter.
    private func skipToLineBreak(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) {
        while place < bytes.count {
            let byte = unsafe bytes[place]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return }
            place += 1
        }
    }

    private mutating func giveBack(_ events: inout [Event]) {
        if !held.isEmpty { events.append(.held(held)) }
        held = []
    }

    private func tell(_ range: Range<Int>, _ events: inout [Event]) {
        if state == .data, !range.isEmpty { events.append(.data(range)) }
    }

    private mutating func endPart(
        _ range: Range<Int>,
        next: State,
        _ events: inout [Event]
    ) {
        tell(range, &events)
        held = []
        if state == .data { events.append(.partEnd) }
        state = next
    }
}
