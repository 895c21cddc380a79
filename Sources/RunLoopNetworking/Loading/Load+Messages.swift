internal import Foundation
internal import FoundationNetworking

// MARK: - What the delegate is told and asked

extension Load {
    /// Gathers a message for the flush of this turn.
    func emit(_ message: Message) {
        if isDownload, goesToFile(message) { return }
        outbox.append(message)
        guard !isFlushQueued else { return }
        isFlushQueued = true
        loop.atFlush { [self] in
            isFlushQueued = false
            let messages = outbox.takeAll()
            mailbox.post(messages)
            tellPosted(messages)
        }
    }

    /// Asks the delegate something; the load waits for the answer, the loop does not.
    ///
    /// - Parameters:
    ///   - question: Makes the message; what it is given takes the answer, once, on any thread.
    ///   - proceed: Is called on the loop with the answer, unless the load is over by then.
    func ask<Answer: Sendable>(
        _ question: (_ answer: @escaping @Sendable (Answer) -> Void) -> Message,
        then proceed: @escaping @Sendable (Answer) -> Void
    ) {
        suspendIdleClock()
        let message = question { [self] answer in
            loop.perform { [self] in
                guard !isOver else { return }
                resumeIdleClock()
                proceed(answer)
            }
        }
        emit(message)
    }

    /// Whether so many bytes may wait for the delegate.
    ///
    /// If not, the exchange reads no more until it is told to resume.
    func room(for count: Int) -> Bool {
        guard mailbox.reserve(count) else {
            suspendIdleClock()
            return false
        }
        return true
    }

    /// So many bytes that there was room for are not emitted after all.
    func giveBackRoom(for count: Int) {
        mailbox.release(count)
    }

    /// Whether the owner has cancelled, and the job that stops the exchange is on its way.
    var isCancelled: Bool { mailbox.isOver }
}
