/// Reads a list of challenges: `Digest realm="a, b", nonce="c", Basic realm="d"`.
///
/// Commas stand between challenges, between the parameters of each and inside quoted strings, so only
/// what follows a word says what it is: a word before an equals sign is a parameter, and any other is a
/// scheme. The reader takes more than the grammar allows, because servers send it: values in single
/// quotes, values with blanks and no quotes, quotes that nobody closes, commas left out. What makes no
/// sense is passed over.
///
/// - SeeAlso: RFC 9110 sections 11.2 and 11.6.1.
struct ChallengeReader {
    private static let maximumParameterCount = 64

    private var rest: Substring.UnicodeScalarView
    private var challenges: [OfferedChallenge] = []

    /// Reads the value of a field.
    static func read(_ value: String) -> [OfferedChallenge] {
        var reader = ChallengeReader(rest: value.unicodeScalars[...])
        reader.readAll()
        return reader.challenges
    }

    private init(rest: Substring.UnicodeScalarView) {
        self.rest = rest
    }

    private mutating func readAll() {
        while true {
            skip { $0 == "," || Self.isBlank($0) }
            guard let first = rest.first else { return }
            let word = take { $0 != "," && $0 != "=" && $0 != "\"" && !Self.isBlank($0) }
            if word.isEmpty {
                // An equals sign or a quoted string that belongs to nothing.
                if first == "\"" { _ = takeQuotedString() } else { rest.removeFirst() }
            } else if isAtEqualsSign {
                readParameter(named: word)
            } else if WireText.isToken(word) {
                readScheme(word)
            }
        }
    }

    private mutating func readScheme(_ name: String) {
        var challenge = OfferedChallenge(scheme: name)
        let start = rest
        skip(Self.isBlank)
        let token = take { WireText.isToken68Scalar($0) } + take { $0 == "=" }
        skip(Self.isBlank)
        if !token.isEmpty, rest.first == nil || rest.first == "," {
            challenge.token68 = token
        } else {
            rest = start
        }
        challenges.append(challenge)
    }

    private mutating func readParameter(named name: String) {
        skip { $0 != "=" }
        rest.removeFirst()
        skip(Self.isBlank)
        let value =
            switch rest.first {
            case "\"": takeQuotedString()
            case "'": takeSingleQuoted() ?? takeText()
            default: takeText()
            }
        guard let last = challenges.indices.last,
            challenges[last].parameters.count < Self.maximumParameterCount
        else { return }
        challenges[last].parameters.append(
            HeaderParameters.Parameter(name: WireText.lowercase(name), value: value)
        )
    }
}

// MARK: - Pieces

extension ChallengeReader {
    private var isAtEqualsSign: Bool { rest.drop(while: Self.isBlank).first == "=" }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }

    private mutating func skip(_ isSkipped: (Unicode.Scalar) -> Bool) {
        rest = rest.drop(while: isSkipped)
    }

    private mutating func take(_ isTaken: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    private mutating func takeText() -> String {
        var text = take { $0 != "," }.unicodeScalars[...]
        while let last = text.last, Self.isBlank(last) { text.removeLast() }
        return String(text)
    }

    private mutating func takeQuotedString() -> String {
        var text = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar != "\\" {
                text.append(scalar)
            } else if let escaped = rest.popFirst() {
                text.append(escaped)
            }
        }
        return String(text)
    }

    /// What stands in single quotes, if nothing but a comma follows; nil if it is a word of another kind.
    private mutating func takeSingleQuoted() -> String? {
        let inner = rest.dropFirst()
        guard let end = inner.firstIndex(of: "'") else { return nil }
        let behind = inner[end...].dropFirst().drop(while: Self.isBlank)
        guard behind.first == nil || behind.first == "," else { return nil }
        rest = behind
        return String(inner[..<end])
    }
}
