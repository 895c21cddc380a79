/// What a Content-Disposition value says (RFC 6266).
struct ContentDisposition: Sendable, Equatable {
    /// The disposition type in lower case, such as `attachment`; nil if there is none.
    let type: String?

    /// The file name that the server proposes, just as it proposes it; nil if there is none.
    ///
    /// `filename*` wins over `filename` wherever it stands (RFC 6266 section 4.3). A `filename*`
    /// that cannot be decoded counts for nothing. Percent escapes in a plain `filename` are kept as
    /// they are: there a percent sign is an ordinary character.
    ///
    /// The name is not safe to use as a path. `SuggestedFilename` makes it so.
    let filename: String?

    /// Reads a Content-Disposition value.
    ///
    /// A value that begins with a parameter, its type left out, is read for its parameters.
    init(_ value: String) {
        var parts = HeaderParameters(value)
        if parts.word.unicodeScalars.contains("=") {
            parts = HeaderParameters(";" + value)
        }
        type = parts.word.isEmpty ? nil : WireText.lowercase(parts.word)
        let names = [
            parts.value(of: "filename*").flatMap(Self.decodeExtendedValue),
            parts.value(of: "filename"),
        ]
        filename = names.compactMap(\.self).first { !$0.isEmpty }
    }

    /// Decodes `charset'language'text`; nil if the charset is unknown or the text is broken.
    ///
    /// RFC 8187 section 3.2. The charsets are UTF-8, and ISO-8859-1 from the RFC before.
    private static func decodeExtendedValue(_ value: String) -> String? {
        let parts = value.split(
            separator: "'",
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard
            parts.count == 3,
            parts[2].utf8.allSatisfy({ $0 < 0x80 }),
            let bytes = WireText.percentDecode(parts[2])
        else { return nil }
        switch WireText.lowercase(parts[0]) {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return WireText.latin1(bytes)
        default: return nil
        }
    }
}
