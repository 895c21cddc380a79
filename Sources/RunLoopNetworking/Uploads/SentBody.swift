/// How far the body of a request has gone out.
struct SentBody: Equatable, Sendable {
    /// How many bytes have gone out since this was told last.
    private(set) var bytes: Int64

    /// How many bytes have gone out in all.
    private(set) var total: Int64

    /// How many bytes the body has; -1 when that is not known.
    let expected: Int64

    /// A body of which `total` bytes have gone out, and `before` when this was told last.
    init(total: Int64, before: Int64, expected: Int64) {
        // A body that is sent once more begins anew.
        bytes = total > before ? total - before : total
        self.total = total
        self.expected = expected
    }

    /// Takes in what has gone out directly behind it; false when it is something else.
    mutating func extend(with next: SentBody) -> Bool {
        guard next.expected == expected, next.total == total + next.bytes else { return false }
        bytes += next.bytes
        total = next.total
        return true
    }
}
