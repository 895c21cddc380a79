private import EventLoops
public import Foundation
public import FoundationNetworking
public import RunLoopNetworking

/// A delegate that keeps the transcript of its connection.
///
/// ```swift
/// let delegate = RecordingDelegate()
/// let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
/// connection?.setDelegateQueue(OperationQueue())
/// connection?.start()
/// try await delegate.ended()
/// #expect(delegate.transcript == [.response(200), .data(3), .finished])
/// #expect(delegate.faults.isEmpty)
/// ```
///
/// It is made for one connection. What breaks the rules of a conversation is found in ``faults``:
/// two messages at once, one after the last, data before the response, empty data. Any thread.
public final class RecordingDelegate: NSObject, Sendable {
    /// What a test does inside a message, on the thread that the delegate is called on.
    public typealias Hook = @Sendable (TranscriptMessage, NSURLConnection) -> Void

    /// How a test answers a challenge: through its sender, at once or later.
    public typealias ChallengeHook = @Sendable (URLAuthenticationChallenge, NSURLConnection) -> Void

    private struct Record: Sendable {
        var messages: [RecordedMessage] = []
        var challenges: [URLAuthenticationChallenge] = []
        var responses: [URLResponse] = []
        var body = Data()
        var sentBody = 0
        var expectedToSend: Int?
        var error: (any Error)?
        var grammar = ConversationGrammar()
        var faults: [String] = []
        var isInMessage = false
        var isOver = false
    }

    /// What a test returns when it is asked for a new body stream.
    public typealias StreamMaker = @Sendable (URLRequest) -> InputStream?

    private let record = Watched(Record())
    private let keepsBody: Bool
    private let keepsSentBody: Bool
    private let newBodyStream: StreamMaker
    private let onMessage: Hook?
    private let onChallenge: ChallengeHook?

    /// Makes a delegate that has heard nothing.
    ///
    /// - Parameters:
    ///   - keepsBody: Whether to keep the bytes, not only their number.
    ///   - keepsSentBody: Whether to record the progress of a body that goes out.
    ///   - onMessage: Called inside each message, after it was recorded; it may cancel or block.
    ///   - onChallenge: Answers challenges, which are recorded then; without it they get the default
    ///     handling, as if the delegate had no method for them, and are not recorded.
    ///   - newBodyStream: Called when a body stream has to be sent once more.
    public init(
        keepsBody: Bool = true,
        keepsSentBody: Bool = false,
        onMessage: Hook? = nil,
        onChallenge: ChallengeHook? = nil,
        newBodyStream: @escaping StreamMaker = { _ in nil }
    ) {
        self.keepsBody = keepsBody
        self.keepsSentBody = keepsSentBody
        self.newBodyStream = newBodyStream
        self.onMessage = onMessage
        self.onChallenge = onChallenge
    }
}

// MARK: - What was heard

extension RecordingDelegate {
    /// The messages in order; data messages that follow one another count as one, and so does progress.
    public var transcript: [TranscriptMessage] {
        var merged: [TranscriptMessage] = []
        for message in messages.map(\.message) {
            if case .data(let count) = message, case .data(let before) = merged.last {
                merged[merged.count - 1] = .data(before + count)
            } else if case .sentBody(let total) = message, case .sentBody(let before) = merged.last,
                total >= before
            {
                merged[merged.count - 1] = message
            } else {
                merged.append(message)
            }
        }
        return merged
    }

    /// Each single message, with where it was heard.
    public var messages: [RecordedMessage] { record.value.messages }

    /// Whether the last message was told, and has returned.
    public var hasEnded: Bool { record.value.isOver }

    /// All bytes since the last response.
    public var body: Data { record.value.body }

    /// The responses, in order.
    public var responses: [URLResponse] { record.value.responses }

    /// The last response.
    public var response: HTTPURLResponse? { responses.last as? HTTPURLResponse }

    /// The challenges, in order.
    public var challenges: [URLAuthenticationChallenge] { record.value.challenges }

    /// How many bytes the body that goes out was said to have; nil before anything was said of it.
    public var expectedToSend: Int? { record.value.expectedToSend }

    /// What the connection failed with.
    public var error: (any Error)? { record.value.error }

    /// What the connection failed with, as what it has to be.
    public var urlError: URLError? { error as? URLError }

    /// Which rules of a conversation were broken.
    public var faults: [String] { record.value.faults }
}

// MARK: - Waiting

extension RecordingDelegate {
    /// Suspends the calling task until the last message has returned.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`, ``ConversationError`` when the
    ///   conversation broke the rules.
    public func ended(limit: Duration = .patience) async throws {
        try await record.wait(for: "the last message", limit: limit) { $0.isOver }
        try check()
    }

    /// Blocks the calling thread until the last message has returned.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`, ``ConversationError`` when the
    ///   conversation broke the rules.
    public func wait(limit: Duration = .patience) throws {
        try record.waitBlocking(for: "the last message", limit: limit) { $0.isOver }
        try check()
    }

    /// Looks whether the conversation was legal so far.
    ///
    /// - Throws: ``ConversationError`` when it broke the rules.
    public func check() throws {
        let faults = faults
        if !faults.isEmpty { throw ConversationError(faults: faults) }
    }

    /// Suspends the calling task until a message like that was heard.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`.
    public func heard(
        limit: Duration = .patience,
        where isWanted: @escaping @Sendable (TranscriptMessage) -> Bool
    ) async throws {
        try await record.wait(for: "a message", limit: limit) { record in
            record.messages.contains { isWanted($0.message) }
        }
    }

    /// Suspends the calling task until so many messages were heard.
    ///
    /// - Throws: ``WaitError`` when it takes longer than `limit`.
    public func heard(count: Int, limit: Duration = .patience) async throws {
        try await record.wait(for: "\(count) messages", limit: limit) {
            $0.messages.count >= count
        }
    }
}

// MARK: - NSURLConnectionDataDelegate

extension RecordingDelegate: NSURLConnectionDataDelegate {
    /// Records how much of the body has gone out, if it is to.
    public func connection(
        _ connection: NSURLConnection,
        didSendBodyData bytesWritten: Int,
        totalBytesWritten: Int,
        totalBytesExpectedToWrite: Int
    ) {
        guard keepsSentBody else { return }
        hear(.sentBody(totalBytesWritten), from: connection) { record in
            let isNew = record.sentBody >= totalBytesWritten
            let sum = (isNew ? 0 : record.sentBody) + bytesWritten
            if sum != totalBytesWritten { record.faults.append("bytes that don't add up") }
            record.sentBody = totalBytesWritten
            record.expectedToSend = totalBytesExpectedToWrite
        }
    }

    /// Records the question, and answers it as the test says.
    public func connection(
        _ connection: NSURLConnection,
        needNewBodyStream request: URLRequest
    ) -> InputStream? {
        hear(.needNewBodyStream, from: connection) { _ in }
        return newBodyStream(request)
    }

    /// Records the response.
    public func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        hear(.response(status), from: connection) { record in
            record.responses.append(response)
            record.body = Data()
        }
    }

    /// Records the bytes.
    public func connection(_ connection: NSURLConnection, didReceive data: Data) {
        hear(.data(data.count), from: connection) { [keepsBody] record in
            if keepsBody { record.body.append(data) }
        }
    }

    /// Records the end.
    public func connectionDidFinishLoading(_ connection: NSURLConnection) {
        hear(.finished, from: connection) { _ in }
    }

    /// Records the failure.
    public func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        let code = (error as? URLError)?.code ?? .unknown
        hear(.failed(code), from: connection) { $0.error = error }
    }

    /// Records the challenge and has it answered.
    public func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
        guard let onChallenge else {
            challenge.sender?.performDefaultHandling(for: challenge)
            return
        }
        let message = TranscriptMessage.challenge(
            challenge.protectionSpace.authenticationMethod,
            failures: challenge.previousFailureCount
        )
        hear(message, from: connection) {
            $0.challenges.append(challenge)
        } then: {
            onChallenge(challenge, connection)
        }
    }

    /// Records that a challenge needs no answer any more.
    public func connection(
        _ connection: NSURLConnection,
        didCancel challenge: URLAuthenticationChallenge
    ) {
        guard onChallenge != nil else { return }
        hear(.challengeWithdrawn, from: connection) { _ in }
    }

    private func hear(
        _ message: TranscriptMessage,
        from connection: NSURLConnection,
        _ change: (inout Record) -> Void,
        then act: () -> Void = {}
    ) {
        let recorded = RecordedMessage(
            message: message,
            thread: .current,
            operationQueue: .current,
            isOnLoop: connection.loop.isCurrent
        )
        record.change { record in
            if record.isInMessage { record.faults.append("\(message) during another message") }
            record.isInMessage = true
            if let fault = record.grammar.hear(message) { record.faults.append(fault) }
            record.messages.append(recorded)
            change(&record)
        }
        onMessage?(message, connection)
        act()
        record.change { record in
            record.isInMessage = false
            record.isOver = record.isOver || message.isTerminal
        }
    }
}
