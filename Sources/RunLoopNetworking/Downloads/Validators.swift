internal import Foundation

/// What tells one version of a file at the server from another.
struct Validators: Codable, Equatable, Sendable {
    /// The value of ETag as it came; nil if there was none.
    let entityTag: String?

    /// The value of Last-Modified as it came; nil if there was none.
    let lastModified: String?

    /// When the response was made, by the server's clock; nil if it did not say.
    let date: String?

    init(entityTag: String? = nil, lastModified: String? = nil, date: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.date = date
    }

    init(_ head: HeaderBlock) {
        self.init(
            entityTag: head.values(for: "ETag").first,
            lastModified: head.values(for: "Last-Modified").first,
            date: head.values(for: "Date").first
        )
    }

    /// The value of If-Range: a version that is the same byte for byte; nil if nothing is so certain.
    ///
    /// A weak tag may stay when bytes change. A date counts only without any tag (RFC 9110 section
    /// 13.1.5), and only if the file was at least a second old when the response was made: within one
    /// second it may change twice (section 8.8.2.2).
    var ifRange: String? {
        if let entityTag { return Self.isStrong(entityTag) ? entityTag : nil }
        guard let lastModified, let date,
            let modification = HTTPDate.parse(lastModified, now: Date()),
            let origination = HTTPDate.parse(date, now: Date()),
            origination.timeIntervalSince(modification) >= 1
        else { return nil }
        return lastModified
    }

    /// Says whether these are certainly of another version than `other`.
    ///
    /// Tags decide where both have one, else dates where both have one. A server that sends neither
    /// again contradicts nothing.
    func contradict(_ other: Validators) -> Bool {
        if let entityTag, let otherTag = other.entityTag { return entityTag != otherTag }
        if let lastModified, let otherDate = other.lastModified { return lastModified != otherDate }
        return false
    }

    /// A quoted string of bytes that RFC 9110 section 8.8.3 allows, and no `W/` before it.
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = Array(tag.utf8)
        let quote = UInt8(ascii: "\"")
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != quote && $0 != 0x7F }
    }
}
