/// Decides what the bytes between and behind the streams of one coding are.
///
/// gzip has members and zstd has frames, which may follow one another (RFC 1952 section 2.2, RFC 8878
/// section 3). Zero bytes behind the last are padding, which tools for tapes and blocks leave there.
/// Whatever else follows was not meant by whoever coded the body. A body without a byte is none, and
/// sound: Content-Encoding may stand in a response that has no body.
struct StreamFraming {
    private enum State {
        case empty
        case inside
        case behind
        case padding
    }

    private let coding: ContentCoding
    private var state = State.empty

    /// What is to be done with the next byte.
    enum Action: Equatable {
        /// It begins a stream.
        case begin
        /// It belongs to the stream that has begun.
        case decode
        /// It is padding.
        case skip
    }

    init(_ coding: ContentCoding) {
        self.coding = coding
    }

    /// Whether a stream has begun and not ended.
    var isInside: Bool { state == .inside }

    /// Looks at the next byte.
    mutating func next(_ byte: UInt8) throws(CodingError) -> Action {
        switch state {
        case .inside:
            return .decode
        case .empty:
            state = .inside
            return .begin
        case .behind, .padding:
            if byte == 0 {
                state = .padding
                return .skip
            }
            guard state == .behind, coding == .gzip || coding == .zstd else {
                throw CodingError(
                    .trailingBytes,
                    "Other bytes follow the end of the body's \(coding.name) stream."
                )
            }
            state = .inside
            return .begin
        }
    }

    /// The stream has ended by its own account.
    mutating func streamEnded() {
        precondition(state == .inside, "a stream ended that had not begun")
        state = .behind
    }

    /// No more bytes come.
    func inputEnded() throws(CodingError) {
        guard state != .inside else {
            throw CodingError(.cut, "The body ends inside its \(coding.name) stream.")
        }
    }
}
