extension EventLoop {
    /// The loader's loop: connections load on it unless they are given another one.
    ///
    /// The first connection that needs it starts it. It is a loop like any other: it can be stopped
    /// and started again, and then stays as its user left it.
    public static let shared = EventLoop(name: "RunLoopNetworking.loader")
}
