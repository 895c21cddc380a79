import Testing

@testable import CurlTransfers

@Suite("Slabs", .timeLimit(.minutes(1)))
struct SlabTests {
    private func append(_ bytes: [UInt8], to filler: inout SlabFiller) -> SlabPiece {
        unsafe bytes.withUnsafeBytes { unsafe filler.append($0) }
    }

    private func bytes(of piece: SlabPiece) -> [UInt8] {
        unsafe Array(piece.slab.bytes(in: piece.range))
    }

    @Test("Slabs grow with what is put into them")
    func growth() {
        var filler = SlabFiller(pool: SlabPool())
        var capacities: [Int] = []
        let block = [UInt8](repeating: 1, count: 16 << 10)
        for _ in 0..<100 {
            let capacity = append(block, to: &filler).slab.capacity
            if capacities.last != capacity { capacities.append(capacity) }
        }
        #expect(capacities == SlabPool.sizes)
    }

    @Test("Pieces that lie side by side become one, others do not")
    func extend() {
        var filler = SlabFiller(pool: SlabPool())
        var first = append([1, 2], to: &filler)
        let second = append([3], to: &filler)
        let third = append([4], to: &filler)
        var other = SlabFiller(pool: SlabPool())
        let foreign = append([5], to: &other)
        let areExtended = [third, second, third, foreign].map { first.extend(with: $0) }
        #expect(areExtended == [false, true, true, false])
        #expect(bytes(of: first) == [1, 2, 3, 4])
    }

    @Test("A piece larger than the largest slab gets one of its own size")
    func large() {
        var filler = SlabFiller(pool: SlabPool())
        let count = 3 << 20
        let piece = append([UInt8](repeating: 7, count: count), to: &filler)
        #expect(piece.count == count)
        #expect(piece.slab.capacity == count)
    }

    @Test("Memory that was let go of is used again, and what a piece holds is not")
    func pool() {
        let pool = SlabPool()
        var filler = SlabFiller(pool: pool)
        let kept = append([1, 2, 3], to: &filler)
        for _ in 0..<10 {
            var other = SlabFiller(pool: pool)
            _ = append([9, 9, 9], to: &other)
        }
        #expect(bytes(of: kept) == [1, 2, 3])
    }
}
