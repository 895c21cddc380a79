/// Something that a test opens once, and that a script, a delegate or the test itself waits for.
///
/// ```swift
/// let more = Gate()
/// let server = try ScriptedServer([.waitForRequest, .send(head), .waitFor(more), .send(body)])
/// let delegate = RecordingDelegate { message, _ in
///     if message == .response(200) { more.open() }
/// }
/// ```
///
/// Better than a pause: the order of things is certain, and no time is lost. Any thread.
public final class Gate: Sendable {
    let state = Watched(false)

    /// Makes a gate that is closed.
    public init() {}

    /// Whether it was opened.
    public var isOpen: Bool { state.value }

    /// Lets everybody through, now and later.
    public func open() {
        state.change { $0 = true }
    }

    /// Suspends the calling task until the gate is open.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`.
    public func opened(limit: Duration = .patience) async throws {
        try await state.wait(for: "a gate to open", limit: limit) { $0 }
    }

    /// Blocks the calling thread until the gate is open.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`.
    public func wait(limit: Duration = .patience) throws {
        try state.waitBlocking(for: "a gate to open", limit: limit) { $0 }
    }
}
