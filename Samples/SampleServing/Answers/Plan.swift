/// What a route makes of a request.
enum Plan: Equatable {
    case answer(Answer)
    /// Compute the digest of a pattern file first, off the loop.
    case checksum(size: Int64, name: String)
    /// Say nothing, and keep the network connection.
    case silence
}
