/// Where the body of a response belongs in a file, and how far it has to reach.
struct ExpectedBody: Equatable, Sendable {
    /// What a body that has ended means for the file.
    enum Ending: Equatable {
        /// The file is whole.
        case complete
        /// The body is whole, but not the file: the rest has to be asked for.
        case restMissing
        /// The body ended too early: its network connection was lost.
        case cutShort
    }

    /// The offset of the first byte.
    let start: Int64

    /// The offset behind the last byte of this body; nil when its end tells.
    let end: Int64?

    /// The length of the whole file; nil when it is not known.
    let total: Int64?

    /// Says whether the file may have `length` bytes after what has come of this body.
    func allows(length: Int64) -> Bool {
        length <= end ?? total ?? .max
    }

    /// What the end of the body means for a file that has `length` bytes.
    func ending(at length: Int64) -> Ending {
        if let end, length < end { return .cutShort }
        if let total, length < total { return end == nil ? .cutShort : .restMissing }
        return .complete
    }
}
