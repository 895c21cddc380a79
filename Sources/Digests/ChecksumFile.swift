/// The digests that a file beside downloads lists, as sha256sum(1) and its like write them.
///
/// Each line is one of these; lines that are not, and comments after `#`, are passed over:
///
///     ba7816bf…  name            as text
///     ba7816bf… *name            as binary, which is the same on Linux
///     \ba7816bf…  first\nsecond   a name with line feeds and backslashes, escaped
///     SHA256 (name) = ba7816bf…  with `--tag`
///     ba7816bf…                  a digest alone
///
/// The number of digits says which algorithm it is where the line does not.
public struct ChecksumFile: Equatable, Sendable {
    /// One line.
    public struct Entry: Equatable, Sendable {
        /// The name of the file, with its folders if it has any; nil where a digest stands alone.
        public let name: String?

        /// What the file's digest has to be.
        public let digest: Digest

        /// Makes an entry.
        public init(name: String?, digest: Digest) {
            self.name = name
            self.digest = digest
        }
    }

    /// The entries in order.
    public let entries: [Entry]

    /// Reads the text of a checksum file.
    public init(_ text: String) {
        entries = text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let ending = line.last == UInt8(ascii: "\r") ? 1 : 0
            return Self.entry(in: String(decoding: line.dropLast(ending), as: UTF8.self))
        }
    }

    /// The digests of a file, of each algorithm at most one; empty if there is nothing certain.
    ///
    /// A line with just this name counts; if there is none, lines whose last path component it is; if
    /// there is none, a single digest without a name. Lines that contradict one another count for nothing.
    public func digests(of name: String) -> [Digest] {
        var found = entries.filter { $0.name == name }
        if found.isEmpty {
            found = entries.filter {
                $0.name.map(Self.lastComponent) == Self.lastComponent(of: name)
            }
        }
        if found.isEmpty, entries.count == 1 { found = entries.filter { $0.name == nil } }
        let digests = Set(found.map(\.digest))
        let byAlgorithm = Dictionary(grouping: digests, by: \.algorithm)
        return byAlgorithm.values.filter { $0.count == 1 }.flatMap(\.self)
            .sorted { $0.algorithm < $1.algorithm }
    }

    private static func lastComponent(of name: String) -> String {
        name.utf8.split(separator: UInt8(ascii: "/")).last.map {
            String(decoding: $0, as: UTF8.self)
        }
            ?? ""
    }
}

// MARK: - Lines

extension ChecksumFile {
    private static func entry(in line: String) -> Entry? {
        guard !line.hasPrefix("#") else { return nil }
        let isEscaped = line.hasPrefix("\\")
        let content = isEscaped ? line.dropFirst() : line[...]
        guard var entry = digitsFirst(content) ?? algorithmFirst(content) else { return nil }
        if isEscaped {
            guard let name = entry.name.flatMap(unescape) else { return nil }
            entry = Entry(name: name, digest: entry.digest)
        }
        return entry
    }

    /// Reads `digits  name` and `digits *name`.
    private static func digitsFirst(_ line: Substring) -> Entry? {
        let digits = line.prefix { $0.isASCII && $0.isHexDigit }
        let algorithm = DigestAlgorithm.allCases.first { $0.byteCount * 2 == digits.utf8.count }
        guard let algorithm, let digest = Digest(algorithm, hexadecimal: digits) else { return nil }
        let rest = line[digits.endIndex...]
        guard rest.contains(where: { $0 != " " && $0 != "\t" }) else {
            return Entry(name: nil, digest: digest)
        }
        // One blank, then a blank or the mark. Some tools write one blank alone.
        guard rest.first == " " || rest.first == "\t" else { return nil }
        let marked = rest.dropFirst()
        let hasMark = marked.first == " " || marked.first == "*"
        return Entry(name: String(hasMark ? marked.dropFirst() : marked), digest: digest)
    }

    /// Reads `SHA256 (name) = digits`; a name may have parentheses itself.
    private static func algorithmFirst(_ line: Substring) -> Entry? {
        guard let opening = line.firstIndex(of: "("), let closing = line.lastIndex(of: ")"),
            opening < closing
        else { return nil }
        let word = line[..<opening].filter { $0 != " " }
        let ending = line[line.index(after: closing)...].filter { $0 != " " }
        guard let algorithm = DigestAlgorithm(name: word), ending.first == "=",
            let digest = Digest(algorithm, hexadecimal: ending.dropFirst())
        else { return nil }
        return Entry(name: String(line[line.index(after: opening)..<closing]), digest: digest)
    }

    private static func unescape(_ name: String) -> String? {
        var unescaped = ""
        var characters = name.unicodeScalars.makeIterator()
        while let character = characters.next() {
            guard character == "\\" else {
                unescaped.unicodeScalars.append(character)
                continue
            }
            switch characters.next() {
            case "\\": unescaped += "\\"
            case "n": unescaped += "\n"
            case "r": unescaped += "\r"
            default: return nil
            }
        }
        return unescaped
    }
}
