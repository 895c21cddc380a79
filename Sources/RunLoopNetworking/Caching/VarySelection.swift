internal import Digests

/// By which fields of its request a response was chosen, and by which values of theirs.
///
/// What Vary names counts, and Authorization in any case: what one user was given is not handed to
/// another. Of the values only a digest is kept, for there may be secrets among them.
///
/// - SeeAlso: RFC 9111 section 4.1.
struct VarySelection: Sendable, Equatable {
    /// The names, in lower case and in order.
    let names: [String]

    /// The digest of the values, in hexadecimal digits.
    let digest: String

    /// Reads the head of a response to a request; nil when no other request can be answered by it.
    init?(_ head: HeaderBlock, _ fields: RequestFields) {
        let listed = head.values(for: "Vary").flatMap(ListElements.of).map(WireText.lowercase)
        guard !listed.contains("*") else { return nil }
        names = Set(listed + ["authorization"]).sorted()
        digest = Self.digest(of: names, in: fields)
    }

    /// Brings back what was written down.
    init(names: [String], digest: String) {
        self.names = names
        self.digest = digest
    }

    /// Whether another request would have been answered alike.
    func matches(_ fields: RequestFields) -> Bool {
        digest == Self.digest(of: names, in: fields)
    }

    private static func digest(of names: [String], in fields: RequestFields) -> String {
        // A line break can stand in no value, so that no two lists are written alike.
        let lines = names.map { name in
            fields[name].map { "\(name)=\(normalized($0, of: name))" } ?? name
        }
        let text = lines.joined(separator: "\n")
        return SHA256Hasher.hash(Array(text.utf8)).description
    }

    /// A value without the differences that mean nothing: blanks around commas, how it was joined.
    private static func normalized(_ value: String, of name: String) -> String {
        let value = ListElements.of(value).joined(separator: ",")
        // Languages, charsets and codings don't mind the letter case.
        return name.hasPrefix("accept-") ? WireText.lowercase(value) : value
    }
}
