/// Which fields of a head are kept, and how a later head changes them.
enum StorableFields {
    /// Fields that say something about one network connection, or one proxy (RFC 9111 section 3.1).
    private static let ofOneHop = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info",
        "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]

    /// Fields that describe the bytes that are kept, and stay with them.
    private static let ofTheBytes = ["Content-Length", "Content-Encoding", "Content-Range"]

    /// Returns the head as it is kept.
    ///
    /// Left out are fields of one hop, those that Connection names, and those that `no-cache="…"`
    /// forbids to use again.
    static func kept(of head: HeaderBlock) -> HeaderBlock {
        var left = ofOneHop + head.values(for: "Connection").flatMap(ListElements.of)
        left += CacheControl(head.values(for: "Cache-Control")).fieldNames("no-cache")
        // Beside a transfer coding the length did not count; alone it would.
        if !head.values(for: "Transfer-Encoding").isEmpty { left.append("Content-Length") }
        return head.replacing(head.fields.filter { field in !left.contains(where: field.isNamed) })
    }

    /// Returns a kept head with what a newer one without a body says (RFC 9111 section 3.2).
    static func updated(_ head: HeaderBlock, by newer: HeaderBlock) -> HeaderBlock {
        let fresh = kept(of: newer).fields.filter { field in
            !ofTheBytes.contains(where: field.isNamed)
        }
        let stale = head.fields.filter { field in
            // The age was that of the older answer.
            !field.isNamed("Age") && !fresh.contains { $0.isNamed(field.name) }
        }
        return head.replacing(stale + fresh)
    }
}
