/// What an answer carries: texts and parts of pattern files, one after the other.
struct Body: Equatable {
    enum Segment: Equatable {
        case bytes([UInt8])
        case pattern(Range<Int64>)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .pattern(let range): range.upperBound - range.lowerBound
            }
        }
    }

    private(set) var segments: [Segment] = []

    /// How many bytes all segments have.
    private(set) var count: Int64 = 0

    /// A body of no byte.
    static let empty = Self()

    /// A body of text.
    static func text(_ text: String) -> Self { bytes(Array(text.utf8)) }

    /// A body of bytes.
    static func bytes(_ bytes: [UInt8]) -> Self {
        var body = Self()
        body.append(.bytes(bytes))
        return body
    }

    /// A body that is a part of a pattern file.
    static func pattern(_ range: Range<Int64>) -> Self {
        var body = Self()
        body.append(.pattern(range))
        return body
    }

    mutating func append(_ segment: Segment) {
        segments.append(segment)
        count += segment.count
    }
}
