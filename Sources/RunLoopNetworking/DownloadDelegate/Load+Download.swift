internal import CurlTransfers
internal import EventLoops
internal import Foundation
internal import FoundationNetworking

// MARK: - Bodies that go to a file

extension Load {
    /// The request as it goes out: a download asks for the bytes that are stored, and for its rest.
    var requestToSend: URLRequest {
        guard isDownload else { return request }
        var wanted = request
        if wanted.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            wanted.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        for (name, value) in resumption.rules?.requestFields ?? [:] {
            wanted.setValue(value, forHTTPHeaderField: name)
        }
        return wanted
    }

    /// Sees to what belongs into the file; returns false for messages that go to the delegate.
    func goesToFile(_ message: Message) -> Bool {
        switch message {
        case .response:
            beginFile()
            return false
        case .data(let piece):
            write(piece)
            return true
        default:
            return false
        }
    }

    /// The response is told, and its body fills a new file.
    private func beginFile() {
        download?.abandon()
        let folder =
            loader.settings.downloadDirectory
            ?? FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let next = DownloadedFile(in: folder, on: loop) { [weak self] failure in
            self?.fileFailed(failure)
        }
        download = next
    }

    private func write(_ piece: SlabPiece) {
        guard let download else { return }
        let count = piece.count
        // Whoever holds the file keeps it on the disk: the loop holds its jobs until they are over.
        download.append(Data(piece)) { [self, weak download] length in
            mailbox.release(count)
            guard !isOver, let download, self.download === download else { return }
            tellWritten(length)
        }
    }

    private func tellWritten(_ length: Int64) {
        guard let download, length > download.told else { return }
        let bytes = length - download.told
        download.told = length
        let expected = resumption.total ?? 0
        emit(.wroteData(WrittenData(bytes: bytes, total: length, expected: expected)))
    }

    private func fileFailed(_ failure: FileFailure) {
        guard !isOver else { return }
        stopExchange()
        fail(Failure(failure))
    }

    /// The body has come to its end: so does the file, when all of it is written.
    func finishFile() {
        guard let download else { return fail(Self.noFile) }
        // Of one response libcurl has counted the bytes.
        if resumption.hasGoneOn, let total = resumption.total, download.length != total {
            return lose(Self.wrongLength)
        }
        // Only the disk is waited for.
        suspendIdleClock()
        download.close { [self, weak download] outcome in
            guard !isOver, let download, self.download === download else { return }
            if let failure = outcome.failure { return fail(Failure(failure)) }
            tellWritten(outcome.length)
            end(with: .finishedDownload(download.file))
        }
    }

    private static let noFile = Failure(.badServerResponse, "There was no response to write.")

    private static let wrongLength = Failure(
        .networkConnectionLost,
        "The server has sent another number of bytes than the file has."
    )
}

// MARK: - Going on after a loss

extension Load {
    /// The network connection was lost: a download goes on if it can, another load fails.
    func lose(_ failure: Failure) {
        guard isDownload else { return fail(failure) }
        act(on: resumption.lost(failure, at: download?.length ?? 0))
    }

    /// What the load fails with if the answer is not the rest of its file; nil when that was not asked for.
    var lossBeforeRest: Failure? { resumption.rules == nil ? nil : resumption.loss }

    /// What came so far is of no use: the whole file is asked for.
    func startOver() {
        download?.abandon()
        download = nil
        act(on: resumption.startsOver())
    }

    private func act(on next: Resumption.Next) {
        switch next {
        case .fail(let failure):
            fail(failure)
        case .ask(let delay):
            stopExchange()
            idle.rest()
            guard delay > .zero else { return restartExchange() }
            retryTimer = loop.timer(after: delay) { [weak self] in
                self?.retryTimer = nil
                self?.restartExchange()
            }
        }
    }

    /// The server has said how it goes on: its body is appended to the file.
    func downloadGoesOn(_ body: ExpectedBody) {
        resumption.goesOn(total: body.total)
        let length = download?.length ?? 0
        emit(.resumedDownload(total: length, expected: resumption.total ?? 0))
    }
}
