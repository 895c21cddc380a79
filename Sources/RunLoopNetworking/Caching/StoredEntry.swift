/// A kept response with its body.
struct StoredEntry: Sendable {
    let name: EntryName
    var response: StoredResponse
    let body: StoredBody
}

/// The body of a kept response, where it lies.
enum StoredBody: Sendable {
    case memory([UInt8])
    /// So many bytes of a file, from a place on.
    case file(OpenFile, at: Int64, count: Int)

    /// How many bytes there are.
    var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .file(_, _, let count): count
        }
    }
}
