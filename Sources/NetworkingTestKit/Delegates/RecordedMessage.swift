public import Foundation

/// A message together with where it was heard.
public struct RecordedMessage: Sendable {
    /// What was heard.
    public let message: TranscriptMessage

    /// The thread that the delegate was called on.
    public let thread: ThreadNumber

    /// `OperationQueue.current` inside the message.
    public let operationQueue: OperationQueue?

    /// Whether the delegate was called on the loop that the connection loads on.
    public let isOnLoop: Bool
}
