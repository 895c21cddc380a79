/// What the cache has to do with a load, as an observer hears of it.
public enum CacheDecision: Sendable, Equatable {
    /// A stored response answers: nothing is sent, or the server can't answer itself.
    case answers
    /// A stored response may still be right: the server is asked whether it is.
    case asksServer
    /// The server says that the stored response is still right (304).
    case confirmed
    /// Nothing is stored that could answer, or nothing stored may.
    case hasNothing
    /// The response is whole, and is given to the cache.
    case stores
}
