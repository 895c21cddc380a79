/// Puts the bytes of one transfer into slabs that grow with it.
///
/// A transfer of a few bytes costs 16 KiB; each slab that was filled is followed by one twice as
/// large, up to 256 KiB. Loop affinity.
struct SlabFiller {
    private let pool: SlabPool
    private var current: Slab?
    private var step = 0

    init(pool: SlabPool) {
        self.pool = pool
    }

    /// Appends bytes to the slab at hand, or to a new one when they don't fit.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> SlabPiece {
        unsafe slab(with: bytes.count).append(bytes)
    }

    /// Has up to `limit` bytes written into the slab at hand, or into a new one when that is full.
    mutating func fill<Failure>(
        upTo limit: Int,
        _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> SlabPiece? {
        unsafe try slab(with: 1).fill(upTo: limit, write)
    }

    private mutating func slab(with room: Int) -> Slab {
        if let current, current.room >= room { return current }
        if current != nil { step = min(step + 1, SlabPool.sizes.count - 1) }
        while SlabPool.sizes[step] < room, step < SlabPool.sizes.count - 1 { step += 1 }
        let slab = pool.slab(size: max(SlabPool.sizes[step], room))
        current = slab
        return slab
    }
}
