/// The media type of a `data:` URL (https://mimesniff.spec.whatwg.org/#parsing-a-mime-type).
///
/// A field of HTTP is read more generously (``MediaType``): here what is malformed does not count, and
/// another type takes its place.
struct DataMediaType: Equatable {
    /// One parameter.
    struct Parameter: Equatable {
        /// The name in lower case.
        let name: String

        /// The value, without quotation marks and backslash escapes.
        let value: String
    }

    /// What a URL without a type has.
    static let usual = DataMediaType(
        mimeType: "text/plain",
        parameters: [Parameter(name: "charset", value: "US-ASCII")]
    )

    /// The type and subtype in lower case.
    let mimeType: String

    /// The parameters in order, each name once.
    let parameters: [Parameter]

    /// The charset as it is written; nil if there is none.
    var charset: String? { parameters.first { $0.name == "charset" }?.value }

    private init(mimeType: String, parameters: [Parameter]) {
        self.mimeType = mimeType
        self.parameters = parameters
    }

    /// Reads a media type; nil when its type or subtype is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        var rest = DataURL.trim(bytes, Self.isBlank)
        let names = Self.take(from: &rest) { $0 == UInt8(ascii: ";") }
            .split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2, let type = Self.token(names[0]),
            let subtype = Self.token(Self.trimEnd(names[1]))
        else { return nil }
        mimeType = WireText.lowercase("\(type)/\(subtype)")
        var parameters: [Parameter] = []
        while rest.popFirst() != nil {
            guard let parameter = Self.parameter(from: &rest),
                !parameters.contains(where: { $0.name == parameter.name })
            else { continue }
            parameters.append(parameter)
        }
        self.parameters = parameters
    }

    /// Takes a parameter up to the next semicolon; nil when it does not count.
    private static func parameter(from rest: inout ArraySlice<UInt8>) -> Parameter? {
        rest = rest.drop(while: isBlank)
        let name = take(from: &rest) { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "=") }
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest.removeFirst()
        let value: [UInt8]
        if rest.first == UInt8(ascii: "\"") {
            value = takeQuotedString(from: &rest)
            rest = rest.drop { $0 != UInt8(ascii: ";") }
        } else {
            value = Array(trimEnd(take(from: &rest) { $0 == UInt8(ascii: ";") }))
            if value.isEmpty { return nil }
        }
        guard let name = token(name), !value.contains(where: WireText.isForbiddenControl) else {
            return nil
        }
        return Parameter(name: WireText.lowercase(name), value: WireText.latin1(value))
    }

    private static func takeQuotedString(from rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        rest.removeFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            text.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return text
    }

    private static func take(
        from rest: inout ArraySlice<UInt8>,
        until isEnd: (UInt8) -> Bool
    ) -> ArraySlice<UInt8> {
        let taken = rest.prefix { !isEnd($0) }
        rest = rest[taken.endIndex...]
        return taken
    }

    private static func trimEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    private static func token(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = WireText.latin1(bytes)
        return WireText.isToken(text) ? text : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        [0x09, 0x0A, 0x0D, 0x20].contains(byte)
    }
}
