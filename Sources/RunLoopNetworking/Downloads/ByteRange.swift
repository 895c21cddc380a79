/// A part of a file, as a request names it; offsets are counted from 0.
///
/// | | |
/// |---|---|
/// | `0-499` | the first 500 bytes |
/// | `500-` | all from the 501st byte on |
/// | `-500` | the last 500 bytes |
///
/// - SeeAlso: RFC 9110 section 14.1.2.
public struct ByteRange: Hashable, Sendable {
    private enum Form: Hashable {
        case bounded(ClosedRange<Int64>)
        case from(Int64)
        case last(Int64)
    }

    private let form: Form

    /// The bytes from an offset to another, which is the last one: neither may be negative.
    public static func bytes(_ offsets: ClosedRange<Int64>) -> ByteRange {
        precondition(offsets.lowerBound >= 0, "give offsets from 0 on")
        return ByteRange(form: .bounded(offsets))
    }

    /// The bytes from an offset on, which may not be negative.
    public static func from(_ offset: Int64) -> ByteRange {
        precondition(offset >= 0, "give an offset from 0 on")
        return ByteRange(form: .from(offset))
    }

    /// The last bytes, of which there may be fewer; their number may not be negative.
    public static func last(_ count: Int64) -> ByteRange {
        precondition(count >= 0, "give a number of bytes from 0 on")
        return ByteRange(form: .last(count))
    }

    /// The offsets that it means in a file of `length` bytes; nil when not one of its bytes is there.
    public func offsets(inFileOf length: Int64) -> ClosedRange<Int64>? {
        guard length > 0 else { return nil }
        switch form {
        case .bounded(let offsets):
            guard offsets.lowerBound < length else { return nil }
            return offsets.clamped(to: 0...length - 1)
        case .from(let offset):
            return offset < length ? offset...length - 1 : nil
        case .last(let count):
            return count > 0 ? max(0, length - count)...length - 1 : nil
        }
    }
}

// MARK: - Without knowing the length

extension ByteRange {
    /// Says whether a part may answer this range, if the file has the right length for it.
    func mayBeAnswered(by part: ClosedRange<Int64>) -> Bool {
        switch form {
        case .bounded(let offsets):
            offsets.lowerBound == part.lowerBound && part.upperBound <= offsets.upperBound
        case .from(let offset): offset == part.lowerBound
        case .last(let count): part.upperBound - part.lowerBound < count
        }
    }
}

// MARK: - LosslessStringConvertible

extension ByteRange: LosslessStringConvertible {
    /// Reads one of the three forms; nil if it is none, or if a number is greater than `Int64.max`.
    public init?(_ description: String) {
        let ends = description.utf8.split(
            separator: UInt8(ascii: "-"),
            omittingEmptySubsequences: false
        )
        guard ends.count == 2, !ends[0].isEmpty || !ends[1].isEmpty else { return nil }
        let numbers = ends.map { $0.isEmpty ? nil : DecimalNumber.parse($0) }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last?) where first <= last: form = .bounded(first...last)
        case (let first?, nil) where ends[1].isEmpty: form = .from(first)
        case (nil, let count?) where ends[0].isEmpty: form = .last(count)
        default: return nil
        }
    }

    /// The range as a header field has it, such as `0-499`.
    public var description: String {
        switch form {
        case .bounded(let offsets): "\(offsets.lowerBound)-\(offsets.upperBound)"
        case .from(let offset): "\(offset)-"
        case .last(let count): "-\(count)"
        }
    }
}
