/// A JSON value that keeps the order of its members.
///
/// ```swift
/// let line: JSONValue = ["message": "data", "bytes": 4]
/// print(line)  // {"message":"data","bytes":4}
/// ```
package enum JSONValue: Equatable, Sendable {
    /// A name and its value in an object.
    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue
    }

    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([Member])

    /// A whole number.
    package static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }

    /// A text, or null where there is none.
    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

    /// A time in milliseconds, to the microsecond.
    package static func milliseconds(_ duration: Duration) -> JSONValue {
        .number((duration / .milliseconds(1) * 1000).rounded() / 1000)
    }

    /// The object with the members of another one behind its own.
    package func followed(by other: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let others) = other else {
            preconditionFailure("only an object can be followed by the members of an object")
        }
        return .object(members + others)
    }
}

// MARK: - As text

extension JSONValue: CustomStringConvertible {
    /// The value as JSON, on one line and without blanks.
    package var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        // JSON has no word for what is no number.
        case .number(let value): text += value.isFinite ? String(value) : "null"
        case .text(let value): Self.quote(value, to: &text)
        case .list(let values):
            Self.join(values, between: "[", and: "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.join(members, between: "{", and: "}", to: &text) { member, text in
                Self.quote(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
        }
    }

    private static func join<Part>(
        _ parts: [Part],
        between begin: String,
        and end: String,
        to text: inout String,
        each write: (Part, inout String) -> Void
    ) {
        text += begin
        for (index, part) in parts.enumerated() {
            if index > 0 { text += "," }
            write(part, &text)
        }
        text += end
    }

    /// Writes a text as RFC 8259 (7) has it: what is not ASCII stands as it is, in UTF-8.
    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

// MARK: - Literals

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .text(value) }

    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member(name: $0.0, value: $0.1) })
    }

    package init(arrayLiteral values: JSONValue...) { self = .list(values) }
}
