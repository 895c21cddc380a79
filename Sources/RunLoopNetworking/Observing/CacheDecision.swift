/// What the cache has to do with a load, as an observer hears of it.
public enum CacheDecision: Sendable, Equatable {
    /// A stored response answers, and nothing is sent.
    case answers
    /// A stored response may still be right: the server is asked whether it is.
    case asksServer
    /// The server says that the stored response is still right (304).
    case confirmed
    /// Nothing that is stored is of use.
    case hasNothing
    /// The response is stored.
    case stores
}
