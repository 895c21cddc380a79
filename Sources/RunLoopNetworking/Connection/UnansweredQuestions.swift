internal import EventLoops

/// Which types of delegates are known to leave a question, or a frequent message, to its default.
///
/// On Apple's systems the loader looks whether a delegate has a method. Swift on Linux can't ask that;
/// but the default of a protocol extension can say that it was called. From then on delegates of that
/// type are not asked any more, and their loads don't wait for an answer that is known. Any thread.
enum UnansweredQuestions {
    /// A delegate's method that answers something, or that is told often.
    enum Question: Hashable, Sendable {
        case willSend
        case willCache
        case credentialStorage
        case willSendRequestForChallenge
        case canAuthenticate
        case didReceiveChallenge
        case didSendBodyData
    }

    private struct Entry: Hashable {
        let question: Question
        let delegate: ObjectIdentifier
    }

    private static let entries = Guarded<Set<Entry>>([])

    /// The default of a question was called for a delegate.
    static func note(_ question: Question, by delegate: AnyObject) {
        let entry = entry(question, delegate)
        _ = entries.withLock { $0.insert(entry) }
    }

    /// Whether the delegate may have an answer of its own.
    static func mayAnswer(_ question: Question, _ delegate: AnyObject?) -> Bool {
        guard let delegate else { return false }
        let entry = entry(question, delegate)
        return entries.withLock { !$0.contains(entry) }
    }

    private static func entry(_ question: Question, _ delegate: AnyObject) -> Entry {
        Entry(question: question, delegate: ObjectIdentifier(type(of: delegate)))
    }
}
