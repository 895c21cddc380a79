import Testing

@testable import SampleServing

@Suite("Pattern", .timeLimit(.minutes(1)))
struct PatternTests {
    @Test("Each word is its index in the block, and the first one is the block's number")
    func words() {
        let pattern = Pattern(size: 5_000_000_000_000)
        #expect(pattern.bytes(in: 8..<16) == [1, 0, 0, 0, 0, 0, 0, 0])
        #expect(pattern.bytes(in: 0x10_0000..<0x10_0008) == [1, 0, 0, 0, 0, 0, 0, 0])
        #expect(pattern.bytes(in: 0xF_FFF8..<0x10_0000) == [0xFF, 0xFF, 1, 0, 0, 0, 0, 0])
        let block: Int64 = 0x01_0203
        #expect(pattern.bytes(in: block << 20..<block << 20 + 4) == [3, 2, 1, 0])
    }

    @Test(
        "The pieces that are sent are the bytes that the pattern has",
        arguments: [
            Int64(0)..<40, 3..<4, 0..<0, 1_048_570..<1_048_590, 1_048_576..<1_048_584,
            5_000_000_001..<5_001_200_000, Int64.max - 20..<Int64.max,
        ],
        [1, 7, 8, 4_096, 3 << 20]
    )
    func pieces(range: Range<Int64>, limit: Int) {
        // One byte at a time is slow; the borders are what matters.
        let most = limit < 4_096 ? 40 : range.count
        let range = range.lowerBound..<range.lowerBound + Int64(min(most, range.count))
        var cursor = BodyCursor(.pattern(range))
        var bytes: [UInt8] = []
        while let piece = cursor.next(atMost: limit) {
            #expect((1...limit).contains(piece.count))
            bytes += piece.bytes
        }
        #expect(bytes == Pattern(size: .max).bytes(in: range))
        #expect(cursor.left == 0)
    }

    @Test("A body of several segments comes in order, and is cut at its limit")
    func segments() {
        var body = Body.text("<")
        body.append(.pattern(6..<10))
        body.append(.bytes([]))
        body.append(.bytes([62]))
        for limit in 0...7 {
            var cursor = BodyCursor(body, limit: Int64(limit))
            var bytes: [UInt8] = []
            while let piece = cursor.next(atMost: 3) { bytes += piece.bytes }
            #expect(bytes == Array([60, 0, 0, 1, 0, 62].prefix(limit)))
        }
    }
}

extension Pattern.Piece {
    /// The bytes, whatever their kind.
    var bytes: [UInt8] {
        switch self {
        case .own(let bytes):
            return bytes
        case .shared(let range):
            var bytes: [UInt8] = []
            PatternBlock.shared.withBytes(in: range) { span in
                for index in span.indices { bytes.append(span[index]) }
            }
            return bytes
        }
    }
}
