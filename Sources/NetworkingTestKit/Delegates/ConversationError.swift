/// A connection broke the rules of a conversation.
///
/// See ``ConversationGrammar`` for the rules.
public struct ConversationError: Error, CustomStringConvertible, Sendable {
    /// Which rules were broken, in the order in which that happened.
    public let faults: [String]

    /// The faults in one line.
    public var description: String {
        "the conversation broke the rules: " + faults.joined(separator: "; ")
    }
}
