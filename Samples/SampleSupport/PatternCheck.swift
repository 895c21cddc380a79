public import Foundation
private import SampleServing

/// Compares bytes with the file that the embedded server makes up.
public enum PatternCheck {
    /// One block of the pattern.
    private static let block = Data(Pattern(size: 1 << 20).bytes(in: 0..<(1 << 20)))

    /// Whether `data` is what the pattern has at `offset`.
    public static func matches(_ data: Data, at offset: Int64) -> Bool {
        var position = offset
        var rest = data[...]
        while !rest.isEmpty {
            let place = Int(position % Int64(block.count))
            // The first word of a block is its number; the others are the same in every block.
            let isFirstWord = place < 8
            let count = min(rest.count, (isFirstWord ? 8 : block.count) - place)
            let expected =
                isFirstWord
                ? Data(Pattern(size: .max).bytes(in: position..<(position + Int64(count))))
                : block[place..<(place + count)]
            guard rest.prefix(count) == expected else { return false }
            position += Int64(count)
            rest = rest.dropFirst(count)
        }
        return true
    }
}
