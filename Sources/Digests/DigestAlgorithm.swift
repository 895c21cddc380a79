/// A way to make a digest of a message.
///
/// SHA-1 and MD5 find damage, but not a forger: files can be made on purpose that have the same digest.
///
/// - SeeAlso: FIPS 180-4 (SHA), RFC 1321 (MD5).
public enum DigestAlgorithm: Hashable, Sendable, CaseIterable {
    case md5
    case sha1
    case sha256
    case sha512

    /// The number of bytes that a digest has.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// The name for people and for tools such as sha256sum(1), such as `SHA256`.
    public var name: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512: "SHA512"
        }
    }

    /// Finds the algorithm of a name in any letter case, with or without hyphen; nil if it is another.
    ///
    /// The names of the registry for HTTP are among them: `sha-256`, `sha-512`, `sha`, `md5`.
    public init?(name: String) {
        let letters = name.utf8.filter { $0 != UInt8(ascii: "-") }
        switch String(decoding: letters, as: UTF8.self).lowercased() {
        case "md5": self = .md5
        case "sha", "sha1": self = .sha1
        case "sha256": self = .sha256
        case "sha512": self = .sha512
        default: return nil
        }
    }
}

// MARK: - Strength

extension DigestAlgorithm: Comparable {
    /// Says whether `one` is easier to deceive than `other`.
    public static func < (one: DigestAlgorithm, other: DigestAlgorithm) -> Bool {
        one.byteCount < other.byteCount
    }
}

// MARK: - CustomStringConvertible

extension DigestAlgorithm: CustomStringConvertible {
    /// The name, as in `SHA256`.
    public var description: String { name }
}
