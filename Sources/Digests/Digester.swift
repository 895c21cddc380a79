/// Makes the digest of a message piece by piece.
///
/// ```swift
/// var digester = Digester(.md5)
/// digester.update(Array("abc".utf8))
/// print(digester.finalize())  // MD5 900150983cd24fb0d6963f7d28e17f72
/// ```
///
/// A digester is a value: a copy goes on by itself from where it was taken, which costs a copy of some
/// hundred bytes. Its state can't be written to a file.
public struct Digester: Sendable {
    /// How the digest is made.
    public let algorithm: DigestAlgorithm

    private var context: DigestContext

    /// Makes a digester that has seen no byte.
    public init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        context = DigestContext(algorithm)
    }

    /// Takes the next bytes of the message.
    public mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// Takes the next bytes of the message, without a copy.
    public mutating func update(_ bytes: Span<UInt8>) {
        makeUnique()
        context.update(bytes)
    }

    /// Takes the next bytes of the message, without a copy.
    public mutating func update(_ bytes: RawSpan) {
        makeUnique()
        context.update(bytes)
    }

    /// The digest of the bytes so far; the digester can take more afterwards.
    public func finalize() -> Digest {
        let bytes = DigestContext(copyOf: context).finish()
        guard let digest = Digest(algorithm, bytes: bytes) else {
            preconditionFailure("libcrypto made \(bytes.count) bytes with \(algorithm)")
        }
        return digest
    }

    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copyOf: context) }
    }
}

// MARK: - At once

extension Digester {
    /// Makes the digest of a whole message.
    public static func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) -> Digest {
        var digester = Digester(algorithm)
        digester.update(bytes)
        return digester.finalize()
    }
}
