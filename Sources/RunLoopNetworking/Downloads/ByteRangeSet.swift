internal import Foundation
public import FoundationNetworking

/// The parts of a file that one request asks for; at least one.
///
/// ```swift
/// var request = URLRequest(url: url)
/// request.byteRanges = ByteRangeSet("0-0,-1")  // the first and the last byte
/// ```
///
/// - SeeAlso: RFC 9110 section 14.2.
public struct ByteRangeSet: Hashable, Sendable {
    /// The parts, in the order in which they are asked for.
    public let ranges: [ByteRange]

    /// Makes a set of several parts; nil without any.
    public init?(_ ranges: [ByteRange]) {
        guard !ranges.isEmpty else { return nil }
        self.ranges = ranges
    }

    /// Makes a set of one part.
    public init(_ range: ByteRange) {
        ranges = [range]
    }

    /// The value of the Range field, such as `bytes=0-0,-1`.
    public var fieldValue: String { "bytes=" + description }

    /// The offsets that it means in a file of `length` bytes, without those parts that are not there.
    public func offsets(inFileOf length: Int64) -> [ClosedRange<Int64>] {
        ranges.compactMap { $0.offsets(inFileOf: length) }
    }
}

// MARK: - LosslessStringConvertible

extension ByteRangeSet: LosslessStringConvertible {
    /// Reads parts with commas between them, with or without `bytes=` before; nil if one is wrong.
    public init?(_ description: String) {
        let prefix = "bytes="
        let hasUnit = WireText.lowercase(String(description.prefix(prefix.count))) == prefix
        let parts = (hasUnit ? description.dropFirst(prefix.count) : description[...])
            .utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        var ranges: [ByteRange] = []
        for part in parts {
            let text = WireText.decode(WireText.trimBlanks(Array(part)[...]))
            guard let range = ByteRange(text) else { return nil }
            ranges.append(range)
        }
        self.init(ranges)
    }

    /// The parts with commas between them, such as `0-0,-1`.
    public var description: String { ranges.map(\.description).joined(separator: ",") }
}

// MARK: - In a request

extension URLRequest {
    /// The parts of the file that the request asks for; nil for the whole.
    ///
    /// It is the field Range, and nil as well where that has no ranges of bytes. A server may send the
    /// whole nevertheless: its status is 206 only where it does not.
    public var byteRanges: ByteRangeSet? {
        get {
            value(forHTTPHeaderField: "Range").flatMap { value in
                WireText.lowercase(String(value.prefix(6))) == "bytes=" ? ByteRangeSet(value) : nil
            }
        }
        set { setValue(newValue?.fieldValue, forHTTPHeaderField: "Range") }
    }
}
