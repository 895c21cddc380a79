// MARK: - Framing

extension HeaderBlock {
    /// The value of `expectedContentLength` for a length that is not known.
    ///
    /// Apple calls it `NSURLResponseUnknownLength`, which Foundation on Linux does not define.
    static let unknownLength: Int64 = -1

    /// The names of the body's codings in lower case, in the order in which they were applied.
    ///
    /// RFC 9110 section 8.4. The coding `identity` means none, as does an empty name.
    var contentCodings: [String] {
        values(for: "Content-Encoding").flatMap(listElements)
    }

    /// Whether two ways of framing are named, or one that the version does not have.
    ///
    /// Somebody on the way may have read another end of the body, and what follows may be meant for
    /// others: the network connection is not to be used again (RFC 9112 sections 6.1 and 6.3).
    var isFramingSuspicious: Bool {
        guard !values(for: "Transfer-Encoding").isEmpty else { return false }
        return !values(for: "Content-Length").isEmpty || httpVersion == "HTTP/1.0"
    }

    /// Returns the length that Content-Length announces; nil if there is none or it does not count.
    ///
    /// A Transfer-Encoding overrides Content-Length, which then is not even read
    /// (RFC 9112 section 6.3). The same length said more than once is one length
    /// (RFC 9110 section 8.6).
    ///
    /// - Throws: `HeaderError` if a value has anything but digits, is greater than `Int64.max`, or
    ///   differs from another one.
    func announcedLength() throws(HeaderError) -> Int64? {
        guard values(for: "Transfer-Encoding").isEmpty else { return nil }
        var announced: Int64?
        for element in values(for: "Content-Length").flatMap(listElements) {
            guard
                element.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let length = Int64(element)
            else {
                throw HeaderError(.badContentLength, "The Content-Length is no usable number.")
            }
            guard announced == nil || announced == length else {
                throw HeaderError(
                    .conflictingContentLengths,
                    "The response announces two different values of Content-Length."
                )
            }
            announced = length
        }
        return announced
    }

    /// Returns the number of bytes that the delegate may expect, or -1 if it is unknown.
    ///
    /// Unknown is also the length of a body that is decoded, because Content-Length counts the bytes
    /// as sent, and a length that cannot be read
    /// (https://developer.apple.com/documentation/foundation/urlresponse/expectedcontentlength).
    func expectedContentLength(isDecoded: Bool) -> Int64 {
        guard !isDecoded else { return Self.unknownLength }
        do throws(HeaderError) {
            return try announcedLength() ?? Self.unknownLength
        } catch {
            return Self.unknownLength
        }
    }

    private func listElements(of value: String) -> [String] {
        value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { WireText.lowercase(WireText.decode(WireText.trimBlanks(Array($0)[...]))) }
    }
}
