/// The 32 bytes that SHA-256 makes of a message.
public struct SHA256Digest: Hashable, Sendable {
    /// The bytes, the most significant one first.
    public let bytes: [UInt8]
}

// MARK: - CustomStringConvertible

extension SHA256Digest: CustomStringConvertible {
    /// The digest as sha256sum(1) writes it: 64 lower-case hexadecimal digits.
    public var description: String { Hexadecimal.encode(bytes) }
}
