/// Whether a connection has been started, and what its owner's calls lead to.
///
/// A value that decides; ``NSURLConnection`` acts.
struct ConnectionLifeCycle {
    private enum State {
        case created
        case started
        case ended
    }

    private var state = State.created

    /// Whether messages may come, now or later.
    var isStarted: Bool { state == .started }

    /// `start()` was called: whether the load begins.
    ///
    /// A second start and one after the end do not.
    mutating func start() -> Bool {
        guard state == .created else { return false }
        state = .started
        return true
    }

    /// The last message was told, or the owner has cancelled: whether a load is to be ended.
    mutating func end() -> Bool {
        defer { state = .ended }
        return state == .started
    }
}
