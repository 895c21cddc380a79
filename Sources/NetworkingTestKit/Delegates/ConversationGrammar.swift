/// Which messages may follow which.
///
///     conversation := challenge* ( response data* )* finished   with at least one response
///                   | challenge* ( response data* )* failed
///                   | challenge* ( response data* )*            cancelled, or not over yet
///     challenge    := challenge challengeWithdrawn?
///
/// In between a body goes out: `sentBody` and `needNewBodyStream` may come anywhere before the last
/// message.
///
/// A value that is fed message by message.
public struct ConversationGrammar: Sendable {
    private enum State {
        case beginning
        case responded
        case over
    }

    private var state = State.beginning

    /// Makes a grammar that has heard nothing.
    public init() {}

    /// Whether the terminal message was heard.
    public var isOver: Bool { state == .over }

    /// Hears the next message; returns what is wrong with it, or nil.
    public mutating func hear(_ message: TranscriptMessage) -> String? {
        guard state != .over else { return "\(message) after the last message" }
        switch message {
        case .challenge, .challengeWithdrawn:
            guard state == .beginning else { return "\(message) after a response" }
        case .sentBody, .needNewBodyStream:
            // A server may answer before it has read the body.
            break
        case .response:
            state = .responded
        case .data(let count):
            guard state == .responded else { return "data before a response" }
            guard count > 0 else { return "empty data" }
        case .finished:
            defer { state = .over }
            guard state == .responded else { return "finished without a response" }
        case .failed:
            state = .over
        }
        return nil
    }

    /// What is wrong with a whole conversation: nothing when the list is empty.
    public static func faults(in transcript: [TranscriptMessage]) -> [String] {
        var grammar = ConversationGrammar()
        return transcript.compactMap { grammar.hear($0) }
    }
}
