/// What stands round a deflate stream.
///
/// `Content-Encoding: deflate` means the zlib format (RFC 9110 section 8.4.1.2), and many servers send
/// the stream bare.
enum DeflateWrapping {
    case zlib
    case bare

    /// Tells by the first bytes; nil when the next one is needed.
    ///
    /// A zlib header has the method 8 in its low nibble and is a multiple of 31 (RFC 1950 section 2.2).
    /// A bare stream with that nibble would begin with a stored block behind set padding bits.
    static func of(_ prefix: [UInt8]) -> DeflateWrapping? {
        guard let first = prefix.first else { return nil }
        guard first & 0x0F == 8, first >> 4 <= 7 else { return .bare }
        guard prefix.count > 1 else { return nil }
        return (Int(first) << 8 + Int(prefix[1])) % 31 == 0 ? .zlib : .bare
    }
}
