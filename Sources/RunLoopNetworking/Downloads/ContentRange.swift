/// Which part of a file a response carries.
///
/// | | |
/// |---|---|
/// | `bytes 0-499/1234` | the first 500 of 1,234 bytes |
/// | `bytes 0-499/*` | the first 500 of nobody knows how many |
/// | `bytes */1234` | no part; the file has 1,234 bytes: this comes with status 416 |
///
/// - SeeAlso: RFC 9110 section 14.4.
struct ContentRange: Hashable, Sendable {
    /// The offsets of the first and the last byte; nil where there is no part.
    let offsets: ClosedRange<Int64>?

    /// The length of the whole file; nil where it is not known.
    let total: Int64?

    /// The number of bytes in the part.
    var count: Int64? { offsets.map { $0.upperBound - $0.lowerBound + 1 } }

    /// Reads a field value; nil if it is anything but one of the three forms, or contradicts itself.
    ///
    /// What is counted in another unit than bytes must not be put together with anything.
    init?(_ value: String) {
        let words = value.utf8.split(
            maxSplits: 1,
            omittingEmptySubsequences: false,
            whereSeparator: WireText.isBlank
        )
        guard words.count == 2,
            WireText.lowercase(String(decoding: words[0], as: UTF8.self)) == "bytes"
        else { return nil }
        let parts = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let isTotalKnown = !parts[1].elementsEqual("*".utf8)
        let isPart = !parts[0].elementsEqual("*".utf8)
        total = isTotalKnown ? DecimalNumber.parse(parts[1]) : nil
        offsets = isPart ? Self.offsets(parts[0]) : nil
        guard (total != nil) == isTotalKnown, (offsets != nil) == isPart, isTotalKnown || isPart
        else {
            return nil
        }
        if let total, let offsets, offsets.upperBound >= total { return nil }
    }

    private static func offsets(_ text: Substring.UTF8View) -> ClosedRange<Int64>? {
        let ends = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        // The number of bytes must be a number as well: it is one more than the difference.
        guard ends.count == 2, let first = DecimalNumber.parse(ends[0]),
            let last = DecimalNumber.parse(ends[1]), first <= last, last < Int64.max
        else { return nil }
        return first...last
    }
}
