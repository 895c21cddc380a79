/// The directives of Cache-Control, of a request or of a response.
///
/// Of a directive that is repeated the first counts (RFC 9111 section 4.2.1). What is no directive is
/// left out; one whose argument can't be read is there, without an argument.
///
/// - SeeAlso: RFC 9111 section 5.2.
struct CacheControl: Sendable, Equatable {
    /// The greatest number of seconds that is told apart from others (RFC 9111 section 1.2.2).
    static let mostSeconds = 1 << 31

    private var arguments: [String: String?] = [:]

    /// Reads the values of the field, one for each line.
    init(_ values: [String]) {
        for directive in values.flatMap(ListElements.of) { add(directive) }
    }

    /// Whether a directive is there, with or without an argument; its name is in lower case.
    func contains(_ name: String) -> Bool { arguments[name] != nil }

    /// Whether a directive is there without an argument: it says what it says of the whole response.
    func isUnqualified(_ name: String) -> Bool {
        guard let argument = arguments[name] else { return false }
        return argument == nil
    }

    /// The argument of a directive in seconds; nil when there is none that can be read.
    func seconds(_ name: String) -> Int? {
        arguments[name].flatMap(\.self).flatMap(Self.seconds)
    }

    /// The names of fields in the argument of a directive.
    func fieldNames(_ name: String) -> [String] {
        arguments[name].flatMap(\.self).map(ListElements.of) ?? []
    }

    /// Reads a number of seconds, which has nothing but digits; more than can be counted is the most.
    static func seconds(_ text: String) -> Int? {
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, !text.isEmpty else { return nil }
        return min(Int(text) ?? mostSeconds, mostSeconds)
    }

    private mutating func add(_ directive: String) {
        let parts = directive.split(
            separator: "=",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let name = parts.first.map(WireText.lowercase), WireText.isToken(name),
            arguments[name] == nil
        else { return }
        arguments[name] = .some(parts.count > 1 ? Self.argument(String(parts[1])) : nil)
    }

    /// A token, or the text of a quoted string; empty when it is neither.
    private static func argument(_ text: String) -> String {
        if WireText.isToken(text) { return text }
        guard text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 1 else { return "" }
        return HeaderParameters(";x=" + text).value(of: "x") ?? ""
    }
}
