/// Tells the lines that part the body of a multipart message from everything else, byte by byte.
///
/// A delimiter is a line of two hyphens and the boundary, perhaps followed by blanks; two more hyphens
/// close the message. The line break before it belongs to it (RFC 2046 section 5.1.1). A line break may
/// be a lone LF here.
struct MultipartDelimiter {
    /// What a byte led to.
    enum Step: Equatable {
        /// The byte can't belong to a delimiter, and none has begun.
        case outside
        /// The bytes since the last `outside` may become one.
        case possible
        /// The bytes before this one are no delimiter; look at this one again.
        case mistaken
        /// A line that begins a part has ended with this byte.
        case part
        /// The message is closed.
        case close
    }

    private enum Place {
        case outside
        /// Behind a CR.
        case carriageReturn
        /// So many bytes into the line.
        case line(Int)
        /// Behind the boundary, and so many blanks.
        case padding(Int)
        /// Behind the boundary and a hyphen.
        case hyphen
        /// Behind the boundary and a CR.
        case lastCarriageReturn
    }

    /// How many blanks may follow a boundary.
    static let maximumPadding = 256

    private var place = Place.line(0)

    /// What the line may begin with; one is left when the first has come.
    private var texts: [[UInt8]]
    private var candidates: [[UInt8]]

    /// Whether the bytes since the last `outside` hold a whole delimiter, but for its line end.
    var isWholeAtEnd: Bool {
        switch place {
        case .padding, .lastCarriageReturn, .hyphen: true
        case .outside, .carriageReturn, .line: false
        }
    }

    /// Makes a delimiter for a boundary; the first line counts as behind a line break.
    ///
    /// Some servers announce the boundary with the two hyphens that belong in front of it. Which is
    /// meant shows with the first delimiter.
    init(boundary: [UInt8]) {
        let hyphens = Array("--".utf8)
        let bare =
            boundary.starts(with: hyphens) && boundary.contains { $0 != UInt8(ascii: "-") }
            ? [boundary] : []
        texts = bare + [hyphens + boundary]
        candidates = texts
    }

    /// The next byte comes right behind a line break.
    mutating func beginLine() {
        place = .line(0)
    }

    /// Takes a byte.
    mutating func take(_ byte: UInt8) -> Step {
        switch place {
        case .outside: begin(byte)
        case .carriageReturn: byte == UInt8(ascii: "\n") ? goOn(to: .line(0)) : give()
        case .line(let count): takeInLine(byte, count)
        case .padding(let count): takeBehindBoundary(byte, count)
        case .hyphen: byte == UInt8(ascii: "-") ? .close : give()
        case .lastCarriageReturn: byte == UInt8(ascii: "\n") ? .part : give()
        }
    }

    private mutating func begin(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "\r"): goOn(to: .carriageReturn)
        case UInt8(ascii: "\n"): goOn(to: .line(0))
        default: .outside
        }
    }

    private mutating func takeInLine(_ byte: UInt8, _ count: Int) -> Step {
        if count == 0 { candidates = texts }
        candidates.removeAll { $0[count] != byte }
        guard !candidates.isEmpty else { return give() }
        guard let whole = candidates.first(where: { $0.count == count + 1 }) else {
            return goOn(to: .line(count + 1))
        }
        candidates = [whole]
        return goOn(to: .padding(0))
    }

    private mutating func takeBehindBoundary(_ byte: UInt8, _ count: Int) -> Step {
        switch byte {
        case UInt8(ascii: "\n"):
            texts = candidates
            return .part
        case UInt8(ascii: "\r"):
            texts = candidates
            return goOn(to: .lastCarriageReturn)
        case UInt8(ascii: "-") where count == 0:
            return goOn(to: .hyphen)
        case _ where WireText.isBlank(byte) && count < Self.maximumPadding:
            return goOn(to: .padding(count + 1))
        default:
            return give()
        }
    }

    private mutating func goOn(to next: Place) -> Step {
        place = next
        return .possible
    }

    private mutating func give() -> Step {
        place = .outside
        return .mistaken
    }
}
