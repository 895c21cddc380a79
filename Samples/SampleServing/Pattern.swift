/// The content of a sample file: a counter, so that each place tells where it is.
///
/// The file is a row of blocks of 1 MiB. Each eight bytes of a block are a number in little-endian
/// order: its index within the block; but the first number of each block is the block's own. The last
/// block is cut where the file ends. So a byte that is missing, doubled or from elsewhere is seen
/// (blocks differ from each other in their first eight bytes), and no file is ever stored.
public struct Pattern: Hashable, Sendable {
    /// How many bytes a block has.
    public static let blockSize = 1 << 20

    /// How many bytes the file has.
    public let size: Int64

    /// Describes a file of `size` bytes, which must not be negative.
    public init(size: Int64) {
        precondition(size >= 0, "a file can't have \(size) bytes")
        self.size = size
    }

    /// The byte at `offset`, which must lie within the file.
    public func byte(at offset: Int64) -> UInt8 {
        precondition((0..<size).contains(offset), "the file has no byte \(offset)")
        let (block, inBlock) = offset.quotientAndRemainder(dividingBy: Int64(Self.blockSize))
        let index = inBlock / 8
        let number = index == 0 ? block : index
        return UInt8(truncatingIfNeeded: number >> (8 * (inBlock % 8)))
    }

    /// The bytes of `range`, which must lie within the file.
    public func bytes(in range: Range<Int64>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= size, "outside of the file")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for offset in range { bytes.append(byte(at: offset)) }
        return bytes
    }
}

// MARK: - Pieces

extension Pattern {
    /// A run of bytes as it is sent.
    enum Piece: Equatable {
        /// Bytes made for this place.
        case own([UInt8])
        /// Bytes of the block that all blocks of all files share.
        case shared(Range<Int>)

        /// How many bytes it has.
        var count: Int {
            switch self {
            case .own(let bytes): bytes.count
            case .shared(let range): range.count
            }
        }
    }

    /// The longest run of at most `limit` bytes at the start of `range` that is of one kind.
    ///
    /// Only the eight bytes of a block's number are made for the place; a block costs no more.
    static func firstPiece(of range: Range<Int64>, atMost limit: Int) -> Piece {
        let inBlock = Int(range.lowerBound % Int64(blockSize))
        let count = Int(min(Int64(min(limit, blockSize)), range.upperBound - range.lowerBound))
        guard inBlock < 8 else {
            return .shared(inBlock..<min(inBlock + count, blockSize))
        }
        let number = range.lowerBound / Int64(blockSize)
        let bytes = (inBlock..<min(inBlock + count, 8)).map {
            UInt8(truncatingIfNeeded: number >> (8 * $0))
        }
        return .own(bytes)
    }
}
