/// Something that a test waited for did not happen in time.
public struct WaitError: Error, CustomStringConvertible, Sendable {
    /// What was waited for, and how long.
    public let description: String

    init(_ what: String, limit: Duration) {
        description = "waited \(limit) for \(what), in vain"
    }
}

extension Duration {
    /// How long the kit's waits take before they fail: far longer than anything that works.
    public static var patience: Duration { .seconds(30) }
}
