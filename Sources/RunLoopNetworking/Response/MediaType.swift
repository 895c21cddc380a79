/// What a Content-Type value says (RFC 9110 section 8.3.1).
struct MediaType: Sendable, Equatable {
    /// The type and subtype in lower case, without parameters; nil if they are malformed.
    let mimeType: String?

    /// The charset parameter as the origin spelled it; nil if there is none or it is empty.
    ///
    /// Apple hands the origin's own string over as `textEncodingName`
    /// (https://developer.apple.com/documentation/foundation/urlresponse/textencodingname).
    let charset: String?

    /// Reads a Content-Type value.
    init(_ value: String) {
        let parts = HeaderParameters(value)
        let charset = parts.value(of: "charset")
        self.charset = charset?.isEmpty == false ? charset : nil
        let names = parts.word.split(separator: "/", omittingEmptySubsequences: false)
        let isWellFormed = names.count == 2 && names.allSatisfy { WireText.isToken($0) }
        mimeType = isWellFormed ? WireText.lowercase(parts.word) : nil
    }
}

// MARK: - The media type of a head

extension HeaderBlock {
    /// The media type of the body; nil if there is no Content-Type.
    ///
    /// Where several lines name one, the last that is well formed counts, as it does for browsers
    /// (https://fetch.spec.whatwg.org/#concept-header-extract-mime-type).
    var mediaType: MediaType? {
        let types = values(for: "Content-Type").map { MediaType($0) }
        return types.last { $0.mimeType != nil } ?? types.last
    }
}
