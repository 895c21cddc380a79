/// What the command line of fetch asks for.
public struct FetchOptions: Sendable {
    /// The options of a command line without any.
    public init() {}
}
