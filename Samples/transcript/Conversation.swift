import Digests
import Foundation
import FoundationNetworking
import RunLoopNetworking
import TranscriptFormat

/// The delegate of one connection: it prints what it hears.
final class Conversation: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time, each after the one before has returned; nobody else looks.

    /// What all connections have in common.
    struct Context: Sendable {
        let options: TranscriptOptions
        let stage: Stage
        let writer: LineWriter
        let tally: Tally
        let file: BodyFile?
        let begin: ContinuousClock.Instant
    }

    private let index: Int
    private let context: Context

    private var heard: Int64 = 0
    private var total: Int64 = 0
    private var hasPaused = false
    private var answered: Set<String> = []
    private var hasher = SHA256Hasher()

    init(_ index: Int, _ context: Context) {
        self.index = index
        self.context = context
    }

    func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest? {
        write("willSend", in: connection, MessageFields.willSend(request, after: response))
        takeTime()
        if hasHeardEnough { cancel(connection) }
        return response != nil && context.options.refusesRedirects ? nil : request
    }

    func connection(
        _ connection: NSURLConnection,
        didSendBodyData bytesWritten: Int,
        totalBytesWritten: Int,
        totalBytesExpectedToWrite: Int
    ) {
        let fields = MessageFields.sentBody(
            bytesWritten,
            total: totalBytesWritten,
            expected: totalBytesExpectedToWrite
        )
        write("sentBody", in: connection, fields)
        takeTime()
        if hasHeardEnough { cancel(connection) }
    }

    func connection(
        _ connection: NSURLConnection,
        needNewBodyStream request: URLRequest
    ) -> InputStream? {
        write("needNewBodyStream", in: connection, MessageFields.needNewBodyStream(request))
        takeTime()
        if hasHeardEnough { cancel(connection) }
        return context.options.makeBodyStream()
    }

    func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
        guard isTold(challenge) else {
            challenge.sender?.performDefaultHandling(for: challenge)
            return
        }
        let answer = answer(to: challenge)
        let fields = MessageFields.challenge(challenge, answer: answer.name)
        write("challenge", in: connection, fields)
        takeTime()
        if hasHeardEnough { cancel(connection) }
        answer.give(to: challenge)
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        total = 0
        hasher = SHA256Hasher()
        context.file?.begin()
        write("response", in: connection, MessageFields.response(response))
        takeTime(in: connection)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        total += Int64(data.count)
        hasher.update(data.span)
        context.tally.received(data.count)
        context.file?.append(data)
        let fields = MessageFields.data(
            data,
            total: total,
            digest: hasher.finalize(),
            showsBody: context.options.showsBody
        )
        write("data", in: connection, fields)
        takeTime(in: connection)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        write("finished", in: connection)
        takeTime()
        end(.finished)
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        write("failed", in: connection, MessageFields.failed(error))
        takeTime()
        end(.failed)
    }

    /// About certificates only somebody who accepts them wants to hear: others leave it to the library.
    private func isTold(_ challenge: URLAuthenticationChallenge) -> Bool {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust: context.options.acceptsUntrusted
        case NSURLAuthenticationMethodClientCertificate: false
        default: true
        }
    }

    /// The user goes to each protection space once: what was refused is not tried again.
    private func answer(to challenge: URLAuthenticationChallenge) -> ChallengeAnswer {
        let space = challenge.protectionSpace
        if let trust = space.serverTrust { return .accept(trust) }
        guard let user = context.options.user else { return .performDefaultHandling }
        let key = "\(space.host) \(space.port) \(space.authenticationMethod) \(space.realm ?? "")"
        return answered.insert(key).inserted ? .use(user) : .continueWithoutCredential
    }

    private func write(
        _ message: String,
        in connection: NSURLConnection,
        _ fields: JSONValue = [:]
    ) {
        let line: JSONValue = [
            "message": .text(message),
            "t": .milliseconds(context.begin.duration(to: .now)),
            "on": .text(context.stage.name(inMessageOf: connection)),
            "connection": .count(index),
        ]
        context.writer.write(line.followed(by: fields))
    }

    private func end(_ end: Tally.End) {
        context.tally.ended(end)
        context.stage.oneEnded()
    }
}

// MARK: - What the options ask for

extension Conversation {
    /// Takes the time that `--slow` says.
    private func takeTime() {
        heard += 1
        block(for: context.options.slowness)
    }

    /// Whether this is the message that `--cancel-after-messages` says, or a later one.
    private var hasHeardEnough: Bool {
        context.options.cancelAfterMessages.map { heard >= $0 } ?? false
    }

    /// Does what the options ask for inside a message of the answer that is not the last.
    private func takeTime(in connection: NSURLConnection) {
        takeTime()
        if let limit = context.options.pauseAfterBytes, total >= limit, !hasPaused {
            hasPaused = true
            block(for: context.options.pause ?? .zero)
        }
        let hasBytes = context.options.cancelAfterBytes.map { total >= $0 } ?? false
        if hasBytes || hasHeardEnough { cancel(connection) }
    }

    private func cancel(_ connection: NSURLConnection) {
        connection.cancel()
        write("cancelled", in: connection)
        end(.cancelled)
    }

    private func block(for duration: Duration) {
        guard duration > .zero else { return }
        Thread.sleep(forTimeInterval: duration / .seconds(1))
    }
}
