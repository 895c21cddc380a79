public import Foundation

/// Bytes that tell where they belong.
///
/// They come in blocks of 4096: the first four bytes are the number of the block, and every four
/// that follow count up within it, most significant byte first. A byte that is lost, doubled or out
/// of its place shows in those that follow.
public enum CounterPattern {
    private static let blockSize = 4_096

    private static let block: [UInt8] = (0..<blockSize / 4).flatMap { word in
        [0xC0, 0, UInt8(word >> 8), UInt8(word & 0xFF)]
    }

    /// The pattern's bytes from `offset` on.
    public static func bytes(count: Int, from offset: Int = 0) -> [UInt8] {
        guard count > 0 else { return [] }
        let first = offset / blockSize
        let last = (offset + count - 1) / blockSize
        var bytes: [UInt8] = []
        bytes.reserveCapacity((last - first + 1) * blockSize)
        for number in first...last {
            let start = bytes.count
            bytes.append(contentsOf: block)
            for place in 0..<4 {
                bytes[start + place] = UInt8(truncatingIfNeeded: number >> (24 - 8 * place))
            }
        }
        let skipped = offset - first * blockSize
        return skipped == 0 && bytes.count == count
            ? bytes : Array(bytes[skipped..<skipped + count])
    }

    /// The first place where `bytes` differ from the pattern that begins at `offset`, or nil.
    public static func firstDifference(in bytes: Data, from offset: Int = 0) -> Int? {
        let expected = Data(Self.bytes(count: bytes.count, from: offset))
        guard bytes != expected else { return nil }
        return zip(bytes, expected).enumerated().first { $0.element.0 != $0.element.1 }
            .map { offset + $0.offset }
    }

    /// The first place where `bytes` differ from the pattern that begins at `offset`, or nil.
    public static func firstDifference(in bytes: [UInt8], from offset: Int = 0) -> Int? {
        firstDifference(in: Data(bytes), from: offset)
    }
}
