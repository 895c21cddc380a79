internal import Digests

/// The digests that the head of a response names.
///
/// - SeeAlso: RFC 9530 (Repr-Digest, Content-Digest), RFC 3230 (Digest), RFC 1864 (Content-MD5).
struct DigestFields: Equatable, Sendable {
    /// The digests of the whole representation, whatever part of it this response carries.
    let ofRepresentation: [Digest]

    /// The digests of the bytes that this response carries, as they are sent.
    let ofContent: [Digest]

    /// Reads what a head says; algorithms that are not known, and fields that are broken, say nothing.
    init(_ head: HeaderBlock) {
        ofRepresentation =
            Self.dictionary(head.value(for: "Repr-Digest"))
            + Self.list(head.value(for: "Digest"))
        let digest = head.value(for: "Content-MD5").flatMap { Digest(.md5, base64: $0) }
        ofContent =
            Self.dictionary(head.value(for: "Content-Digest"))
            + (digest.map { [$0] } ?? [])
    }

    /// The digests that a whole file has to have which is loaded with this response.
    ///
    /// That of a part says nothing about the whole. None counts for bytes that are decoded: all of them are
    /// made of the bytes as they are sent.
    func ofFile(isPart: Bool, isDecoded: Bool) -> [Digest] {
        if isDecoded { return [] }
        return isPart ? ofRepresentation : ofRepresentation + ofContent
    }
}

// MARK: - Reading

extension DigestFields {
    /// Reads `sha-256=:base64:, sha-512=:base64:`; of a key that comes twice the last one counts.
    ///
    /// It is a dictionary of byte sequences (RFC 9651 section 3.2): one member that can't be read spoils
    /// all of it. Base64 has neither comma nor semicolon, so that members can be told apart first.
    private static func dictionary(_ value: String?) -> [Digest] {
        var digests: [(key: String, digest: Digest)] = []
        for member in members(of: value) {
            let item = member.split(separator: ";", omittingEmptySubsequences: false)[0]
            guard let (key, text) = pair(item), key == WireText.lowercase(key) else { return [] }
            let sequence = text.utf8
            guard sequence.count >= 2, sequence.first == UInt8(ascii: ":"),
                sequence.last == UInt8(ascii: ":")
            else { return [] }
            // Other algorithms are passed over.
            guard let algorithm = DigestAlgorithm(name: key) else { continue }
            guard let digest = Digest(algorithm, base64: text.dropFirst().dropLast()) else {
                return []
            }
            digests.removeAll { $0.key == key }
            digests.append((key, digest))
        }
        return digests.map(\.digest)
    }

    /// Reads `SHA-256=base64,MD5=base64`; a member that can't be read is passed over.
    private static func list(_ value: String?) -> [Digest] {
        members(of: value).compactMap { member in
            guard let (key, text) = pair(member[...]) else { return nil }
            return DigestAlgorithm(name: key).flatMap { Digest($0, base64: text) }
        }
    }

    private static func members(of value: String?) -> [String] {
        guard let value else { return [] }
        return value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { WireText.decode(WireText.trimBlanks(Array($0)[...])) }
    }

    private static func pair(_ member: Substring) -> (key: String, value: Substring)? {
        guard let sign = member.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (String(member[..<sign]), member[member.utf8.index(after: sign)...])
    }
}
