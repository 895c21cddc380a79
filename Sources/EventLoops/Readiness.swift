/// What a descriptor can do without blocking; asked for, it is the interest in it.
///
/// An error or a hang-up counts as both: the read or the write that follows tells which.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A read will not block.
    public static let read = Readiness(rawValue: 1)

    /// A write will not block.
    public static let write = Readiness(rawValue: 2)
}

// MARK: - CustomStringConvertible

extension Readiness: CustomStringConvertible {
    /// `read`, `write`, `read+write` or `none`.
    public var description: String {
        let names = [(Readiness.read, "read"), (.write, "write")].filter { contains($0.0) }
        return names.isEmpty ? "none" : names.map(\.1).joined(separator: "+")
    }
}
