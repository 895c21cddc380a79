/// Bytes that tell where they belong: every four of them count up, most significant byte first.
///
/// A byte that is lost, doubled or out of its place shows in every byte that follows.
public enum CounterPattern {
    /// The pattern's bytes from `offset` on.
    public static func bytes(count: Int, from offset: Int = 0) -> [UInt8] {
        guard count > 0 else { return [] }
        let first = offset / 4
        let last = (offset + count - 1) / 4
        let words = (first...last).map { UInt32(truncatingIfNeeded: $0).bigEndian }
        let skipped = offset - 4 * first
        return unsafe words.withUnsafeBytes { unsafe Array($0[skipped..<skipped + count]) }
    }

    /// The first place where `bytes` differ from the pattern that begins at `offset`, or nil.
    public static func firstDifference(in bytes: [UInt8], from offset: Int = 0) -> Int? {
        let expected = Self.bytes(count: bytes.count, from: offset)
        guard bytes != expected else { return nil }
        return zip(bytes, expected).enumerated().first { $0.element.0 != $0.element.1 }
            .map { offset + $0.offset }
    }
}
