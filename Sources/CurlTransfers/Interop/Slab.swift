/// A block of memory that is filled from the front, and never changed where it is filled.
///
/// The loop appends; whoever holds a ``SlabPiece`` reads what was appended before. The two touch
/// different bytes, so no copy is needed between them. When the last reference goes, the memory
/// goes back to its pool.
package final class Slab: @unchecked Sendable {
    // Only the loop writes, beyond `filled`; what lies before it stays as it is, and is handed to
    // other threads through a lock.
    private let block: SlabPool.Block
    private let pool: SlabPool

    /// How many bytes are filled; loop affinity.
    package private(set) var filled = 0

    init(block: SlabPool.Block, pool: SlabPool) {
        self.block = block
        self.pool = pool
    }

    deinit {
        pool.takeBack(block)
    }

    /// How many bytes can still be appended.
    package var room: Int { block.size - filled }

    /// How many bytes there are in all.
    package var capacity: Int { block.size }

    /// Copies bytes behind those that are there; the caller has looked at `room`.
    package func append(_ bytes: UnsafeRawBufferPointer) -> SlabPiece {
        precondition(bytes.count <= room, "a slab was filled beyond its end")
        let range = filled..<(filled + bytes.count)
        unsafe UnsafeMutableRawBufferPointer(rebasing: block.memory[range]).copyMemory(from: bytes)
        filled = range.upperBound
        return SlabPiece(slab: self, range: range)
    }

    /// Has up to `limit` bytes written behind those that are there; nil if none were.
    func fill<Failure>(
        upTo limit: Int,
        _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> SlabPiece? {
        let offered = filled..<(filled + min(limit, room))
        let count = try unsafe write(bytes(in: offered))
        precondition(count <= offered.count, "a slab was filled beyond its end")
        let range = filled..<(filled + count)
        filled = range.upperBound
        return range.isEmpty ? nil : SlabPiece(slab: self, range: range)
    }

    /// The memory behind a piece; it lives as long as the slab.
    package func bytes(in range: Range<Int>) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: block.memory[range])
    }
}

/// Some of the bytes of a slab, in the order in which they came from the network.
package struct SlabPiece: Sendable {
    /// Where the bytes are.
    package let slab: Slab

    /// Which of the slab's bytes they are.
    package private(set) var range: Range<Int>

    /// How many bytes there are.
    package var count: Int { range.count }

    init(slab: Slab, range: Range<Int>) {
        self.slab = slab
        self.range = range
    }

    /// Some of these bytes, counted from the first.
    package func part(_ part: Range<Int>) -> SlabPiece {
        precondition(part.upperBound <= count, "a piece has no bytes beyond its end")
        let start = range.lowerBound
        return SlabPiece(slab: slab, range: start + part.lowerBound..<start + part.upperBound)
    }

    /// Takes in a piece that lies directly behind this one in the same slab; false if it does not.
    package mutating func extend(with next: SlabPiece) -> Bool {
        guard next.slab === slab, next.range.lowerBound == range.upperBound else { return false }
        range = range.lowerBound..<next.range.upperBound
        return true
    }
}
