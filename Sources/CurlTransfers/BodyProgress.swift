/// How much of a body was handed to libcurl, and how much of that has gone out.
///
/// libcurl counts what it has written. Where a body goes out in chunks that includes the lines between
/// them; but libcurl asks for more only when all that it had is written.
struct BodyProgress {
    /// How many bytes the body has; nil when nobody knows.
    let length: Int64?

    /// How many bytes libcurl has taken.
    private(set) var handedOver: Int64 = 0

    /// How many bytes of body have gone out.
    private(set) var sent: Int64 = 0

    init(length: Int64?) {
        self.length = length
    }

    /// How many of `count` bytes may be handed over now.
    func room(for count: Int) -> Int {
        guard let length else { return count }
        return Int(min(Int64(count), length - handedOver))
    }

    /// libcurl asks for more.
    ///
    /// Returns how many bytes have gone out, if that is news.
    mutating func asked() -> Int64? {
        length == nil ? moved(to: handedOver) : nil
    }

    /// libcurl has taken bytes.
    mutating func handOver(_ count: Int) {
        handedOver += Int64(count)
    }

    /// libcurl has written so many bytes in all.
    ///
    /// Returns how many bytes have gone out, if that is news.
    mutating func wrote(_ count: Int64) -> Int64? {
        length == nil ? nil : moved(to: count)
    }

    /// libcurl goes back to a place, to send the body again.
    mutating func rewind(to offset: Int64) {
        handedOver = offset
    }

    private mutating func moved(to count: Int64) -> Int64? {
        guard count != sent else { return nil }
        sent = count
        // Nothing is told of a body that begins anew until some of it has gone out.
        return count > 0 ? count : nil
    }
}
