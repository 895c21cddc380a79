/// Hashes a message with SHA-256 piece by piece.
///
/// ```swift
/// var hasher = SHA256Hasher()
/// hasher.update(Array("abc".utf8))
/// print(hasher.finalize())  // ba7816bf…
/// ```
///
/// A hasher is a value: a copy goes on by itself from where it was taken. So a digest of what came
/// so far costs a copy, and a broken download that is resumed goes on with the hasher it had.
public struct SHA256Hasher: Sendable {
    private var digester = Digester(.sha256)

    /// Makes a hasher that has seen no byte.
    public init() {}

    /// Takes the next bytes of the message.
    public mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// Takes the next bytes of the message, without a copy.
    public mutating func update(_ bytes: Span<UInt8>) {
        digester.update(bytes)
    }

    /// Takes the next bytes of the message, without a copy.
    public mutating func update(_ bytes: RawSpan) {
        digester.update(bytes)
    }

    /// The digest of the bytes so far; the hasher can take more afterwards.
    public func finalize() -> SHA256Digest {
        SHA256Digest(bytes: digester.finalize().bytes)
    }
}

// MARK: - At once

extension SHA256Hasher {
    /// Hashes a whole message.
    public static func hash(_ bytes: [UInt8]) -> SHA256Digest {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.finalize()
    }
}
