internal import Digests

/// Where things stand in the file of a kept response.
///
///     0   a mark of 8 bytes
///     8   the length of the head, 4 bytes, the least significant one first
///     12  the length of the body, 8 bytes, likewise
///     20  SHA-256 of head, body and the two lengths, 32 bytes
///     52  the head, the body
struct CacheFileLayout: Equatable {
    /// How many bytes stand before the head.
    static let prefixLength = 52

    /// The greatest head that is read.
    static let greatestHead = 1 << 20

    private static let mark = Array("RLNcach1".utf8)

    let headLength: Int
    let bodyLength: Int

    /// How many bytes the file has.
    var fileLength: Int { bodyPlace + bodyLength }

    /// Where the body begins.
    var bodyPlace: Int { Self.prefixLength + headLength }

    init(headLength: Int, bodyLength: Int) {
        self.headLength = headLength
        self.bodyLength = bodyLength
    }

    /// Where things stand in the file of a response.
    init(_ response: StoredResponse, bodyLength: Int) {
        self.init(headLength: StoredHead.encode(response).count, bodyLength: bodyLength)
    }

    /// Reads the beginning of a file; nil when it is none, or the file has another length.
    init?(_ prefix: [UInt8], fileLength: Int64) {
        guard prefix.count == Self.prefixLength, prefix.starts(with: Self.mark) else { return nil }
        let body = Self.number(prefix[12..<20])
        guard body <= UInt64(Int64.max / 2) else { return nil }
        headLength = Int(Self.number(prefix[8..<12]))
        bodyLength = Int(body)
        guard headLength <= Self.greatestHead, Int64(self.fileLength) == fileLength else {
            return nil
        }
    }

    /// The beginning of the file, with the digest of what was hashed.
    func prefix(_ hasher: SHA256Hasher) -> [UInt8] {
        Self.mark + lengths + digest(hasher)
    }

    /// Whether the beginning of the file has this digest.
    func isRight(_ prefix: [UInt8], _ hasher: SHA256Hasher) -> Bool {
        Array(prefix[20...]) == digest(hasher)
    }

    private func digest(_ hasher: SHA256Hasher) -> [UInt8] {
        var hasher = hasher
        hasher.update(lengths)
        return hasher.finalize().bytes
    }

    private var lengths: [UInt8] {
        Self.bytes(UInt64(headLength)).prefix(4) + Self.bytes(UInt64(bodyLength))
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
