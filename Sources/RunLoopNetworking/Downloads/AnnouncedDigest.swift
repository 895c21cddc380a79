internal import Digests

/// A digest as it is kept in a file: by the name of its algorithm, and in hexadecimal digits.
struct AnnouncedDigest: Codable, Equatable, Sendable {
    private let algorithm: String
    private let hexadecimal: String

    init(_ digest: Digest) {
        algorithm = digest.algorithm.name
        hexadecimal = digest.hexadecimal
    }

    /// The digest; nil if the file was changed to something that is none.
    var digest: Digest? {
        DigestAlgorithm(name: algorithm).flatMap { Digest($0, hexadecimal: hexadecimal) }
    }
}
