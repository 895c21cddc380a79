/// A field value of the form `word; name=value; name="value"`, taken apart.
///
/// Content-Type and Content-Disposition have this form (RFC 9110 section 5.6.6). The parser takes
/// more than the grammar allows, because senders do: blanks around the equals sign, any characters
/// in an unquoted value up to the semicolon, a quoted string that nobody closed. It goes through
/// Unicode scalars, not characters: a combining mark after a quotation mark must not hide it.
struct HeaderParameters: Sendable, Equatable {
    /// One parameter.
    struct Parameter: Sendable, Equatable {
        /// The name in lower case.
        let name: String

        /// The value, without quotation marks and backslash escapes.
        let value: String
    }

    /// What comes before the first semicolon, without the blanks around it.
    let word: String

    /// The parameters in order of arrival.
    let parameters: [Parameter]

    /// Takes a field value apart.
    init(_ text: String) {
        var rest = text.unicodeScalars[...]
        var parameters: [Parameter] = []
        word = Self.takeText(from: &rest) { $0 == ";" }
        while rest.popFirst() != nil {
            let name = Self.takeText(from: &rest) { $0 == "=" || $0 == ";" }
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: Self.isBlank)
            let value =
                rest.first == "\""
                ? Self.takeQuotedString(from: &rest)
                : Self.takeText(from: &rest) { $0 == ";" }
            rest = rest.drop { $0 != ";" }
            parameters.append(Parameter(name: WireText.lowercase(name), value: value))
        }
        self.parameters = parameters
    }

    /// Returns the value of the first parameter of a name, which is given in lower case.
    ///
    /// A sender must not repeat a name. Where one does, the first counts.
    func value(of name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }

    private static func takeText(
        from rest: inout Substring.UnicodeScalarView,
        until isEnd: (Unicode.Scalar) -> Bool
    ) -> String {
        let end = rest.firstIndex(where: isEnd) ?? rest.endIndex
        var text = rest[..<end].drop(while: isBlank)
        while let last = text.last, isBlank(last) {
            text.removeLast()
        }
        rest = rest[end...]
        return String(text)
    }

    private static func takeQuotedString(from rest: inout Substring.UnicodeScalarView) -> String {
        var text = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar == "\\" {
                if let escaped = rest.popFirst() {
                    text.append(escaped)
                }
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
