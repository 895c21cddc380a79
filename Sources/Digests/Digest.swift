/// What an algorithm makes of a message.
public struct Digest: Hashable, Sendable {
    /// How it was made.
    public let algorithm: DigestAlgorithm

    /// The bytes, the most significant one first.
    public let bytes: [UInt8]

    /// Takes the bytes of a digest; nil if the algorithm makes digests of another length.
    public init?(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Reads hexadecimal digits in any letter case; nil if there is anything else, or too few or many.
    public init?(_ algorithm: DigestAlgorithm, hexadecimal text: some StringProtocol) {
        guard let bytes = Hexadecimal.decode(text) else { return nil }
        self.init(algorithm, bytes: bytes)
    }

    /// Reads base64 with its padding; nil if there is anything else, or too little or much.
    public init?(_ algorithm: DigestAlgorithm, base64 text: some StringProtocol) {
        guard let bytes = Base64.decode(text) else { return nil }
        self.init(algorithm, bytes: bytes)
    }

    /// The bytes as lower-case hexadecimal digits, as sha256sum(1) writes them.
    public var hexadecimal: String { Hexadecimal.encode(bytes) }

    /// The bytes in base64 with padding, as header fields carry them.
    public var base64: String { Base64.encode(bytes) }
}

// MARK: - CustomStringConvertible

extension Digest: CustomStringConvertible {
    /// The algorithm and the digits, as in `MD5 900150983cd24fb0d6963f7d28e17f72`.
    public var description: String { "\(algorithm) \(hexadecimal)" }
}
