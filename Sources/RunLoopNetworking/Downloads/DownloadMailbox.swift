private import EventLoops

/// The messages of a download on their way to its delegate.
///
/// As for a connection, one drain is under way or asked for, never two, and before each message it looks
/// whether the download is over. Progress that waits becomes one message, so that few ever wait.
///
/// Any thread.
final class DownloadMailbox: Sendable {
    private struct State {
        var hear: (@Sendable (DownloadMessage) -> Void)?
        var context: (any DeliveryContext)?
        /// Raised when the context changes: a drain of an older one does nothing.
        var generation = 0
        var messages: [DownloadMessage] = []
        var isDrainQueued = false
        var isDelivering = false
        var isOver = false
    }

    private let state = Guarded(State())

    /// Keeps what hears, and with it the download and its delegate, until the end.
    func open(_ hear: @escaping @Sendable (DownloadMessage) -> Void) {
        state.withLock { state in
            if !state.isOver { state.hear = hear }
        }
    }

    /// Delivers what waits, and all that follows, on another context.
    func setContext(_ context: any DeliveryContext) {
        let drain = state.withLock { state in
            guard !state.isOver else { return Optional<() -> Void>.none }
            state.context = context
            state.generation += 1
            state.isDrainQueued = false
            return queueDrain(&state)
        }
        drain?()
    }

    /// Adds a message, and asks for its delivery once.
    func post(_ message: DownloadMessage) {
        let drain = state.withLock { state in
            guard !state.isOver else { return Optional<() -> Void>.none }
            let last = state.messages.indices.last
            if last.map({ state.messages[$0].extend(with: message) }) != true {
                state.messages.append(message)
            }
            return queueDrain(&state)
        }
        drain?()
    }

    /// Nothing more is to be heard; returns false when the download was over already.
    func cancel() -> Bool {
        state.withLock { close(&$0) } != nil
    }
}

// MARK: - The delivery's side

extension DownloadMailbox {
    private func queueDrain(_ state: inout State) -> (() -> Void)? {
        guard !state.isDrainQueued, !state.isDelivering, !state.messages.isEmpty,
            let context = state.context
        else { return nil }
        state.isDrainQueued = true
        let generation = state.generation
        return { [self] in context.enqueue { [self] in self.drain(generation) } }
    }

    private func drain(_ generation: Int) {
        while let (message, hear) = take(generation) {
            hear(message)
            let (released, drain) = state.withLock { state in
                state.isDelivering = false
                let released = message.isTerminal ? close(&state) : nil
                // The context may have changed while the delegate was at work.
                return (released, queueDrain(&state))
            }
            withExtendedLifetime(released) {}
            drain?()
        }
    }

    private func take(_ generation: Int) -> (DownloadMessage, @Sendable (DownloadMessage) -> Void)?
    {
        state.withLock { state in
            guard state.generation == generation, !state.isDelivering, !state.isOver else {
                return nil
            }
            state.isDrainQueued = false
            guard let hear = state.hear, !state.messages.isEmpty else { return nil }
            state.isDelivering = true
            return (state.messages.removeFirst(), hear)
        }
    }

    /// Empties the mailbox for good and returns what it held, to be let go of outside the lock.
    private func close(_ state: inout State) -> State? {
        guard !state.isOver else { return nil }
        let released = state
        state = State()
        state.isOver = true
        return released
    }
}
