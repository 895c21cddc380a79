/// Messages in order; bytes that lie side by side in one slab become one message while they wait, and
/// so does the progress of an upload or a file.
///
/// The mailbox bounds the bytes, and so the few messages that ever wait here.
struct MessageQueue {
    private var messages: [Message] = []

    var isEmpty: Bool { messages.isEmpty }

    /// Adds a message at the end.
    mutating func append(_ message: Message) {
        if let last = messages.indices.last, messages[last].extend(with: message) { return }
        messages.append(message)
    }

    /// Takes all messages.
    mutating func takeAll() -> [Message] {
        defer { messages = [] }
        return messages
    }

    /// Takes the message that waits longest.
    mutating func popFirst() -> Message? {
        messages.isEmpty ? nil : messages.removeFirst()
    }
}
