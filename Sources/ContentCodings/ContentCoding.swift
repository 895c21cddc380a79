/// A content coding that can be decoded.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1>
package enum ContentCoding: Sendable, Hashable, CaseIterable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// The coding that a name in lower case stands for; nil for one that is not known.
    package init?(name: String) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        case "br": self = .brotli
        case "zstd": self = .zstd
        default: return nil
        }
    }

    /// The name as it stands in Content-Encoding.
    package var name: String {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        case .brotli: "br"
        case .zstd: "zstd"
        }
    }
}
