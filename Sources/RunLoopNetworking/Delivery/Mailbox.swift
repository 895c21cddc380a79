internal import EventLoops
internal import FoundationNetworking

/// The messages of one connection between the loop, which posts, and the delegate, which hears.
///
/// - One drain is under way or asked for, never two: messages stay in order on any queue.
/// - Before each message the mailbox looks whether the connection is over: after a cancel on the
///   delivery context nothing more is heard.
/// - Bytes that wait are counted. When too many do, ``reserve(_:)`` says no, and the loop pauses the
///   transfer until the delegate has caught up.
///
/// Any thread.
final class Mailbox: Sendable {
    private struct State {
        var receiver: Receiver?
        var context: (any DeliveryContext)?
        /// Raised when the context changes: a drain of an older one does nothing.
        var generation = 0

        var messages = MessageQueue()
        var isDrainQueued = false
        var isDelivering = false
        var isOver = false

        var waitingBytes = 0
        var isReadingPaused = false
        var resumeReading: (@Sendable () -> Void)?
    }

    /// How many messages one drain delivers before it lets others have their turn on the queue.
    private static let patience = 64

    private let limit: Int
    private let limitInAll: Int
    private let inAll: WaitingBytes

    /// Guarded.
    private let state: Guarded<State>

    /// Makes a mailbox in which about `limit` bytes may wait, and `limitInAll` in all of a loop.
    init(receiver: Receiver, limit: Int, limitInAll: Int, inAll: WaitingBytes) {
        self.limit = limit
        self.limitInAll = limitInAll
        self.inAll = inAll
        state = Guarded(State(receiver: receiver))
    }

    /// Whether the last message was told, or the owner has cancelled.
    var isOver: Bool { state.withLock { $0.isOver } }
}

// MARK: - The owner's side

extension Mailbox {
    /// The connection has started: it stays alive, with its delegate, until it is over.
    func open(for connection: NSURLConnection, resumeReading: @escaping @Sendable () -> Void) {
        state.withLock { state in
            // A cancel by another thread may have come first: nothing would take these back.
            guard !state.isOver else { return }
            state.receiver?.connection = connection
            state.resumeReading = resumeReading
        }
    }

    /// Delivers what waits, and all that follows, on another context; nil delivers nothing for now.
    func setContext(_ context: (any DeliveryContext)?) {
        let drain = state.withLock { state in
            guard !state.isOver else { return Optional<QueuedDrain>.none }
            state.context = context
            state.generation += 1
            state.isDrainQueued = false
            return queueDrain(&state)
        }
        drain?.enqueue()
    }

    /// The owner wants to hear nothing more.
    ///
    /// Returns false when the connection was over already.
    func cancel() -> Bool {
        // Let go of outside the lock: a delegate that goes away may call the connection.
        let released = state.withLock { state in
            guard !state.isOver else { return Optional<State>.none }
            return close(&state)
        }
        return released != nil
    }
}

// MARK: - The loop's side

extension Mailbox {
    /// Adds messages, in order, and asks for their delivery once.
    func post(_ messages: [Message]) {
        let drain = state.withLock { state in
            guard !state.isOver else { return Optional<QueuedDrain>.none }
            for message in messages { state.messages.append(message) }
            return queueDrain(&state)
        }
        drain?.enqueue()
    }

    /// Makes room for bytes that are about to be posted.
    ///
    /// False means: too many wait already. Read no more until `resumeReading` is called. A mailbox
    /// without waiting bytes always has room: each delegate gets on.
    func reserve(_ count: Int) -> Bool {
        state.withLock { state in
            // Cancelled: the load's end is on its way to the loop, and nothing is read until it comes.
            if state.isOver { return false }
            if state.waitingBytes == 0 {
                inAll.add(count)
            } else if state.waitingBytes + count > limit || !inAll.add(count, limit: limitInAll) {
                state.isReadingPaused = true
                return false
            }
            state.waitingBytes += count
            return true
        }
    }
}

extension Mailbox {
    /// Whether there was no room, and `resumeReading` has not been called since.
    var isReadingPaused: Bool { state.withLock { $0.isReadingPaused } }

    /// Bytes that there was room for wait no more: they went elsewhere than to the delegate.
    func release(_ count: Int) {
        let resume = state.withLock { state in
            guard !state.isOver else { return Optional<@Sendable () -> Void>.none }
            return take(count, from: &state)
        }
        resume?()
    }

    /// Returns what goes on reading, if it was stopped and there is room again.
    private func take(_ count: Int, from state: inout State) -> (@Sendable () -> Void)? {
        state.waitingBytes -= count
        inAll.remove(count)
        guard state.isReadingPaused, state.waitingBytes <= limit / 2 else { return nil }
        state.isReadingPaused = false
        return state.resumeReading
    }
}

// MARK: - The delivery's side

extension Mailbox {
    /// A drain that has been decided on, to be asked for outside the lock.
    private struct QueuedDrain {
        let mailbox: Mailbox
        let context: any DeliveryContext
        let generation: Int

        func enqueue() {
            context.enqueue { [mailbox, generation] in mailbox.drain(generation) }
        }
    }

    private func queueDrain(_ state: inout State) -> QueuedDrain? {
        guard !state.isDrainQueued, !state.isDelivering, !state.messages.isEmpty,
            let context = state.context
        else { return nil }
        state.isDrainQueued = true
        return QueuedDrain(mailbox: self, context: context, generation: state.generation)
    }

    /// Delivers the messages that wait, on the context that called it.
    private func drain(_ generation: Int) {
        for _ in 0..<Self.patience {
            guard let (message, receiver) = take(generation) else { return }
            receiver.hear(message)
            delivered(message)
        }
        let drain = state.withLock { state in
            guard state.generation == generation else { return Optional<QueuedDrain>.none }
            state.isDrainQueued = false
            return queueDrain(&state)
        }
        drain?.enqueue()
    }

    private func take(_ generation: Int) -> (Message, Receiver)? {
        state.withLock { state in
            guard state.generation == generation, !state.isDelivering, !state.isOver else {
                return nil
            }
            guard let receiver = state.receiver, let message = state.messages.popFirst() else {
                state.isDrainQueued = false
                return nil
            }
            state.isDelivering = true
            // Nothing follows, and a cancel from inside this message finds nothing to cancel.
            if message.isTerminal { state.isOver = true }
            return (message, receiver)
        }
    }

    private func delivered(_ message: Message) {
        let (released, drain, resume) = state.withLock { state in
            state.isDelivering = false
            let released = message.isTerminal ? close(&state) : nil
            let resume = state.isOver ? nil : take(message.byteCount, from: &state)
            // The context may have changed while the delegate was at work.
            return (released, queueDrain(&state), resume)
        }
        released?.receiver?.connection?.didEnd()
        drain?.enqueue()
        resume?()
    }

    /// Empties the mailbox for good and returns what it held, to be let go of outside the lock.
    private func close(_ state: inout State) -> State {
        let released = state
        inAll.remove(state.waitingBytes)
        state.waitingBytes = 0
        state.isOver = true
        state.generation += 1
        state.messages = MessageQueue()
        state.receiver = nil
        state.context = nil
        state.resumeReading = nil
        return released
    }
}
