internal import CurlTransfers

/// The pieces of a body stream between its reader and the loop: a few at a time, in order.
///
/// What was promised as the length is held to: the piece that completes it waits until the stream has
/// ended, so that a body that is too long is not taken for whole by the server.
struct BodyPieces {
    /// How many bytes are read at once; libcurl takes as many.
    static let size = 64 << 10

    /// How many pieces may wait.
    static let limit = 4

    private enum Ending {
        case end
        case failed(Failure)
    }

    /// How many bytes the stream is to have; nil when nobody has said.
    let length: Int64?

    private var pieces: [[UInt8]] = []
    /// How much of the first piece is gone.
    private var offset = 0
    private var lastPiece: [UInt8]?
    private var count: Int64 = 0
    private var ending: Ending?
    private var isReading = false
    private var isWaitedFor = false
    private var isStopped = false

    init(length: Int64?) {
        self.length = length
    }

    /// Whether nothing more is read.
    var isOver: Bool { isStopped || ending != nil }

    /// Why the body can't be sent; nil while it can.
    var failure: Failure? {
        if case .failed(let failure) = ending { failure } else { nil }
    }
}

// MARK: - The loop's side

extension BodyPieces {
    /// Copies what is there into `room`; says also whether the reader has to begin to read, or go on.
    mutating func take(into room: UnsafeMutableRawBufferPointer) -> (BodyRead, reads: Bool) {
        guard let piece = pieces.first else { return (emptyAnswer(), startReading()) }
        let taken = min(room.count, piece.count - offset)
        unsafe room.copyBytes(from: piece[offset..<offset + taken])
        offset += taken
        if offset == piece.count {
            pieces.removeFirst()
            offset = 0
        }
        return (.bytes(taken), startReading())
    }

    /// Nobody wants the body any more.
    mutating func stop() {
        isStopped = true
        pieces = []
        lastPiece = nil
    }

    private mutating func emptyAnswer() -> BodyRead {
        switch ending {
        case .end: return .end
        case .failed: return .failed
        case nil:
            isWaitedFor = true
            return .later
        }
    }

    private mutating func startReading() -> Bool {
        guard !isReading, !isStopped, ending == nil, pieces.count <= Self.limit / 2 else {
            return false
        }
        isReading = true
        return true
    }
}

// MARK: - The reader's side

extension BodyPieces {
    /// What the reader does after it has brought something.
    struct Order: Equatable {
        /// The loop waits, and has to be told.
        var wakes = false
        /// There is room for another piece.
        var goesOn = false
    }

    /// Takes the next piece of the stream, which is not empty.
    mutating func append(_ piece: [UInt8]) -> Order {
        guard !isStopped, ending == nil else { return Order() }
        count += Int64(piece.count)
        guard let length else { return put(piece) }
        guard count <= length else {
            return end(with: Self.wrongLength("more", than: length))
        }
        guard count == length else { return put(piece) }
        lastPiece = piece
        return Order(goesOn: true)
    }

    /// The stream has ended.
    mutating func end() -> Order {
        guard !isStopped, ending == nil else { return Order() }
        if let length, count < length {
            return end(with: Self.wrongLength("fewer", than: length))
        }
        if let lastPiece { pieces.append(lastPiece) }
        lastPiece = nil
        ending = .end
        return wake()
    }

    /// The stream can't be read.
    mutating func end(with failure: Failure) -> Order {
        guard !isStopped, ending == nil else { return Order() }
        lastPiece = nil
        ending = .failed(failure)
        return wake()
    }

    private mutating func put(_ piece: [UInt8]) -> Order {
        pieces.append(piece)
        var order = wake()
        order.goesOn = pieces.count < Self.limit
        isReading = order.goesOn
        return order
    }

    private mutating func wake() -> Order {
        defer { isWaitedFor = false }
        return Order(wakes: isWaitedFor)
    }

    private static func wrongLength(_ word: String, than length: Int64) -> Failure {
        Failure(
            .requestBodyStreamExhausted,
            "The body stream has \(word) bytes than the \(length) of Content-Length; set the right "
                + "number, or leave the field out."
        )
    }
}
