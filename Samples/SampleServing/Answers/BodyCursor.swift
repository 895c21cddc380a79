/// A place in a body that moves from its start to its end, piece by piece.
struct BodyCursor {
    private let segments: [Body.Segment]
    private var index = 0
    /// How much of the segment at `index` is behind.
    private var offset: Int64 = 0

    /// How many bytes are still to come.
    private(set) var left: Int64

    /// Stands at the start of a body and ends after `limit` bytes at the latest.
    init(_ body: Body, limit: Int64? = nil) {
        segments = body.segments
        left = min(body.count, limit ?? .max)
    }

    /// Moves over the next piece of at most `limit` bytes; nil at the end.
    mutating func next(atMost limit: Int) -> Pattern.Piece? {
        let limit = Int(min(Int64(limit), left))
        guard limit > 0 else { return nil }
        while offset == segments[index].count {
            index += 1
            offset = 0
        }
        let piece: Pattern.Piece
        switch segments[index] {
        case .bytes(let bytes):
            piece = .own(Array(bytes[Int(offset)...].prefix(limit)))
        case .pattern(let range):
            let rest = range.lowerBound + offset..<range.upperBound
            piece = Pattern.firstPiece(of: rest, atMost: limit)
        }
        offset += Int64(piece.count)
        left -= Int64(piece.count)
        return piece
    }
}
