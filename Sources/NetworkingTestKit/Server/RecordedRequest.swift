/// A request as a ``ScriptedServer`` received it.
public struct RecordedRequest: Sendable, Equatable {
    /// One header field, spelt as it came.
    public struct Field: Sendable, Equatable {
        /// What stands before the colon.
        public let name: String
        /// What stands behind it, without blanks at the ends.
        public let value: String
    }

    /// Which connection it came on, counted from 0.
    public let connection: Int

    /// The bytes of the head, the empty line included.
    public let head: [UInt8]

    /// The body, its chunks put together.
    public internal(set) var body: [UInt8] = []

    /// The method, the target and the version of the first line.
    public let method: String
    /// What was asked for, as it was written.
    public let target: String
    /// `HTTP/1.1`, as a rule.
    public let version: String

    /// The header fields in the order in which they came.
    public let fields: [Field]

    init(head: [UInt8], connection: Int) {
        self.head = head
        self.connection = connection
        let lines = String(decoding: head, as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: true)
        let words = lines.first?.split(separator: " ").map(String.init) ?? []
        method = words.first ?? ""
        target = words.count > 1 ? words[1] : ""
        version = words.count > 2 ? words[2] : ""
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return Field(
                name: String(parts[0]),
                value: parts.count > 1 ? Self.trimmed(parts[1]) : ""
            )
        }
    }

    /// The values of a field, in order; the letter case of the name does not matter.
    public func values(for name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The first value of a field, or nil.
    public subscript(name: String) -> String? { values(for: name).first }

    /// The body as text.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let front = text.drop(while: isBlank)
        let end = front.lastIndex { !isBlank($0) }.map(front.index(after:)) ?? front.startIndex
        return String(front[..<end])
    }
}
