internal import Digests
internal import Foundation
internal import FoundationNetworking

// MARK: - The answer

extension DownloadRun {
    /// Decides what the answer is good for.
    func receive(_ response: URLResponse) {
        tell(.response(response))
        guard let head = (response as? LoadedHTTPURLResponse)?.headers else {
            let known = response.expectedContentLength
            let length = known >= 0 ? known : nil
            return begin(ExpectedBody(start: 0, end: length, total: length), response)
        }
        switch rules.action(for: head) {
        case .append(let body), .startAgain(let body):
            begin(body, response)
        case .askForWhole:
            stopConnection()
            forgetPart()
        case .complete(let length):
            stopConnection()
            guard var state else { return fail(Failure.otherPart) }
            state.total = length
            takeAsWhole(state)
        case .fail(let failure):
            stopConnection()
            let retryAfter = head.value(for: "Retry-After").flatMap { RetryAfter($0) }
            tryFailed(failure, .status(head.statusCode, retryAfter: retryAfter))
        }
    }

    /// Prepares the file for a body.
    private func begin(_ body: ExpectedBody, _ response: URLResponse) {
        do throws(Failure) {
            try checkLength(body)
            expected = body
            length = body.start
            lengthAtSync = body.start
            let fields = (response as? LoadedHTTPURLResponse)?.headers
            var next =
                body.start > 0 ? state ?? newState(response, fields) : newState(response, fields)
            next.total = body.total
            // Never does the state vouch for more than is there: the file is about to be cut to this.
            next.syncedLength = min(body.start, next.syncedLength)
            if let fields {
                let isPart = fields.statusCode == 206
                next.add(DigestFields(fields).ofFile(isPart: isPart, isDecoded: false))
            }
            try keep(next)
            if body.start > 0 { tell(.resumed(offset: body.start, expected: body.total ?? -1)) }
            openWriter(next)
        } catch {
            stopConnection()
            fail(error)
        }
    }

    private func newState(_ response: URLResponse, _ head: HeaderBlock?) -> DownloadState {
        DownloadState(
            url: identity,
            finalURL: response.url?.absoluteString ?? "",
            validators: head.map { Validators($0) } ?? Validators(),
            total: nil,
            syncedLength: 0,
            suggestedName: response.suggestedFilename ?? "unknown",
            mediaType: head?.value(for: "Content-Type")
        )
    }

    /// Looks whether the file may be so long, and whether there is room for it.
    private func checkLength(_ body: ExpectedBody) throws(Failure) {
        guard let total = body.total else { return }
        if let maximum = options.maximumLength, total > maximum { throw .tooLong(maximum) }
        guard case .file(let path)? = place?.target else { return }
        let folder = FolderPath.folder(of: path)
        do throws(FileFailure) {
            let room = try DiskSpace.available(in: folder.isEmpty ? "." : folder)
            // What is there already, and is about to be written over, counts as room.
            guard total - min(total, lengthAtRequest) <= room else {
                throw FileFailure(operation: .write, number: ENOSPC, path: path)
            }
        } catch {
            throw Failure(error)
        }
    }

    func openWriter(_ state: DownloadState) {
        let current = current
        let opened = opened?.file
        let place = place
        let algorithms = expectedDigests(state).map(\.algorithm)
        let writer = FileWriter(
            at: length,
            blockSize: options.blockSize,
            waitingLimit: options.blockSize,
            algorithms: Array(Set(algorithms)).sorted(),
            open: { () throws(FileFailure) in
                if let opened { return opened }
                guard case .through(let path)? = place?.target else {
                    throw FileFailure(operation: .open, number: EBADF, path: "")
                }
                return try WritableFile(path, .through)
            },
            onEvent: { [self] event in
                switch event {
                case .caughtUp: release(.writer)
                case .failed(let failure): onQueue(current) { [self] in writerDidFail(failure) }
                }
            }
        )
        if let total = state.total { writer.reserve(total) }
        self.writer = writer
    }
}

// MARK: - The body

extension DownloadRun {
    /// Hands bytes to the writer.
    func receive(_ data: Data) {
        guard let writer, let expected else { return }
        let count = Int64(data.count)
        guard expected.allows(length: length + count) else {
            stopConnection()
            return failAndForget(.tooMuch)
        }
        if let maximum = options.maximumLength, length + count > maximum {
            stopConnection()
            return failAndForget(.tooLong(maximum))
        }
        length += count
        if !writer.append(data) { hold(.writer) }
        tellProgress(count)
        if let delay = limiter?.take(data.count, now: .now), delay > .zero {
            hold(.rate)
            release(.rate, after: delay)
        }
        if length - lengthAtSync >= options.syncInterval { sync(writer) }
    }

    /// Brings what came to the disk, and then vouches for it.
    private func sync(_ writer: FileWriter) {
        lengthAtSync = length
        let current = current
        writer.sync { [self] outcome in
            onQueue(current) { [self] in
                guard outcome.failure == nil, var next = state, phase == .loading else { return }
                next.syncedLength = outcome.length
                do throws(Failure) {
                    try keep(next)
                } catch {
                    stopConnection()
                    closeFile { [self] in fail(error) }
                }
            }
        }
    }

    /// Writes down what is known of the partial file.
    func keep(_ next: DownloadState) throws(Failure) {
        state = next
        guard let partial = place?.partial else { return }
        do throws(FileFailure) {
            try next.write(partial.statePath)
        } catch {
            throw Failure(error)
        }
    }

    /// The digests that the file has to have.
    func expectedDigests(_ state: DownloadState) -> [Digest] {
        // A part of the file is another file than the one whose digest is known to the server.
        let announced = rules.wanted == nil ? state.digests.compactMap(\.digest) : []
        return options.digests + announced
    }
}
