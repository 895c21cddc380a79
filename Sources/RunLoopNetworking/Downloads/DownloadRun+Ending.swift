internal import Digests
internal import Foundation
internal import FoundationNetworking

// MARK: - How a request ends

extension DownloadRun {
    /// The body has come to its end, as far as its framing says.
    func bodyDidEnd() {
        connection = nil
        guard let expected else { return fail(Failure.noBody) }
        switch expected.ending(at: length) {
        case .complete:
            closeFile { [self] in check(length: length) }
        case .restMissing where length > lengthAtRequest:
            closeFile { [self] in tryAgain() }
        case .restMissing, .cutShort:
            let failure = Failure(.networkConnectionLost, "The server sent less than it announced.")
            closeFile { [self] in tryFailed(failure, .error(failure.code)) }
        }
    }

    /// The connection has failed; what came is kept.
    func connectionDidFail(_ error: any Error) {
        connection = nil
        closeFile { [self] in
            let code = (error as? URLError)?.code ?? .unknown
            tryFailed(error, .error(code))
        }
    }

    /// The file can't be written any more; what is vouched for stays.
    func writerDidFail(_ failure: FileFailure) {
        guard phase == .loading else { return }
        stopConnection()
        closeFile { [self] in fail(Failure(failure)) }
    }

    /// Brings what came to the disk, closes the file, and goes on with `next`.
    ///
    /// A failure of the file ends the download in place of `next`.
    func closeFile(then next: @escaping @Sendable () -> Void) {
        phase = .closing
        current = nil
        guard let writer else {
            closed(nil, next)
            return
        }
        writer.close { [self] outcome in
            onQueue(nil) { [self] in closed(outcome, next) }
        }
    }

    private func closed(_ outcome: FileWriter.Outcome?, _ next: () -> Void) {
        writer = nil
        digests = outcome?.digests ?? []
        guard let outcome else {
            dropFile(removing: false)
            return next()
        }
        if let failure = outcome.failure {
            salvage(outcome.length)
            return fail(Failure(failure))
        }
        do throws(Failure) {
            if var state {
                state.syncedLength = outcome.length
                try keep(state)
            }
        } catch {
            return fail(error)
        }
        // The lock goes before the next try takes it again.
        dropFile(removing: false)
        next()
    }

    /// After a failure of the file, vouches for those bytes that are on the disk nevertheless.
    private func salvage(_ length: Int64) {
        guard let file = opened?.file, var state else { return }
        do {
            try file.sync()
            state.syncedLength = min(length, try file.length())
            try keep(state)
        } catch {
            // The disk has failed once more: what was vouched for before stays so.
        }
    }

    /// A try has failed: tries again, or ends the download.
    func tryFailed(_ error: any Error, _ cause: RetryPolicy.Cause) {
        failedTries += 1
        dropFile(removing: false)
        var generator = SystemRandomNumberGenerator()
        let delay = options.retryPolicy.delay(
            afterTry: failedTries,
            cause,
            now: Date(),
            using: &generator
        )
        // What has gone through a device can't be sent through it once more.
        guard let delay, isGet, place?.partial != nil || length == 0 else { return fail(error) }
        let told = (error as? Failure)?.error(for: request.url) ?? error
        tell(.willRetry(delay, told))
        phase = .betweenTries
        if pauseIsAsked { return rest() }
        after(delay) { [self] in
            guard phase == .betweenTries else { return }
            tryAgain()
        }
    }

    /// The download can't be brought to its end; what came is kept.
    func fail(_ error: any Error) {
        // Where nothing came, nothing is left.
        dropFile(removing: state?.syncedLength ?? 0 == 0)
        end()
        tell(.failed((error as? Failure)?.error(for: request.url) ?? error))
    }

    /// What came is certainly wrong, and is not kept.
    func failAndForget(_ failure: Failure) {
        dropFile(removing: true)
        end()
        tell(.failed(failure.error(for: request.url)))
    }
}

// MARK: - The whole file

extension DownloadRun {
    /// What is on the disk is the whole file: only its digests have to be looked at.
    func takeAsWhole(_ state: DownloadState) {
        self.state = state
        length = state.syncedLength
        expected = ExpectedBody(start: length, end: length, total: length)
        tell(.resumed(offset: length, expected: length))
        openWriter(state)
        closeFile { [self] in check(length: length) }
    }

    /// Compares the digests, and gives the file its name.
    private func check(length: Int64) {
        guard let state, let place else { return fail(Failure.noBody) }
        for wanted in expectedDigests(state) {
            guard let found = digests.first(where: { $0.algorithm == wanted.algorithm }) else {
                preconditionFailure("the writer was not asked for \(wanted.algorithm)")
            }
            if found != wanted { return failAndForget(.wrongDigest(found, wanted)) }
        }
        do throws(FileFailure) {
            let path = try place.path(suggestedName: state.suggestedName, options)
            if let partial = place.partial {
                try Placement.place(partial.path, at: path, replacing: options.replacesExisting)
                try partial.removeState()
            }
            end()
            tell(.finished(URL(fileURLWithPath: path)))
        } catch {
            fail(Failure(error))
        }
    }

    /// What is on the disk is of no use: the whole is asked for.
    func forgetPart() {
        guard let partial = place?.partial else { return fail(Failure.otherPart) }
        do throws(FileFailure) {
            try partial.removeState()
            try opened?.file.truncate(to: 0)
            state = nil
            ask(for: nil)
        } catch {
            fail(Failure(error))
        }
    }

    /// Lets go of the partial file, and so of its lock.
    func dropFile(removing removes: Bool) {
        let file = opened?.file
        opened = nil
        // Only one that was opened is this download's own.
        let partial = removes && hasOpened ? place?.partial : nil
        let drop = { @Sendable in
            // What can't be closed or removed is as after a crash: the next download of it sees to that.
            try? file?.close()
            try? partial?.remove()
        }
        guard let writer else { return drop() }
        self.writer = nil
        writer.abandon()
        writer.close { _ in drop() }
    }
}
