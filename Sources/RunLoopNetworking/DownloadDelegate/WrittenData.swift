/// How far a download is written to its file.
struct WrittenData: Equatable, Sendable {
    /// How many bytes were written since this was told last.
    var bytes: Int64

    /// How many bytes the file has.
    var total: Int64

    /// How many it will have; 0 when that is not known.
    let expected: Int64

    /// Takes in what was written directly behind it; false when it is something else.
    mutating func extend(with next: WrittenData) -> Bool {
        guard next.expected == expected, next.total == total + next.bytes else { return false }
        bytes += next.bytes
        total = next.total
        return true
    }
}
