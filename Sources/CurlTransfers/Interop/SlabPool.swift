private import EventLoops

/// Keeps the memory of slabs for the next ones, so that a long transfer allocates a handful.
///
/// Any thread.
package final class SlabPool: Sendable {
    /// The sizes that slabs grow through, in bytes.
    package static let sizes = [16, 32, 64, 128, 256].map { $0 * 1024 }

    /// How many bytes of unused memory are kept at the most.
    private static let limit = 512 << 10

    private struct Unused {
        var blocks: [Int: [Block]] = [:]
        var bytes = 0
    }

    /// Guarded.
    private let unused = Guarded(Unused())

    /// Makes an empty pool.
    package init() {}

    /// A slab of `size` bytes, from the pool or new.
    package func slab(size: Int) -> Slab {
        let reused: Block? = unused.withLock { unused in
            guard let block = unused.blocks[size]?.popLast() else { return nil }
            unused.bytes -= size
            return block
        }
        return Slab(block: reused ?? Block(size: size), pool: self)
    }

    /// A slab of its own for bytes that are there already.
    package func piece(copying bytes: UnsafeRawBufferPointer) -> SlabPiece {
        unsafe slab(size: bytes.count).append(bytes)
    }

    /// A slab of its own for bytes that are written into it; nil if none were.
    ///
    /// Nobody else has the slab yet, so it may be written on any thread.
    package func piece<Failure>(
        size: Int,
        _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> SlabPiece? {
        try unsafe slab(size: size).fill(upTo: size, write)
    }

    func takeBack(_ block: Block) {
        unused.withLock { unused in
            guard unused.bytes + block.size <= Self.limit else { return }
            unused.bytes += block.size
            unused.blocks[block.size, default: []].append(block)
        }
    }

    /// Memory that is given back to the system with the last reference to it.
    @safe
    // One slab at a time holds the block, and says who may touch its memory.
    final class Block: @unchecked Sendable {
        let memory: UnsafeMutableRawBufferPointer
        let size: Int

        init(size: Int) {
            self.size = size
            unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        }

        deinit {
            unsafe memory.deallocate()
        }
    }
}
