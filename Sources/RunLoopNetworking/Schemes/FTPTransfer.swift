internal import CurlTransfers
internal import EventLoops

/// A transfer by FTP, on a loop and a thread of its own.
///
/// libcurl blocks its thread at the end of such a transfer, until the server has said whether all went
/// well. On the load's loop everybody else would wait for that.
final class FTPTransfer: @unchecked Sendable {
    // Affinity to `loop`, but for the constants and for start, resume and stop, which hand it a job.
    /// What is told, on `loop`.
    enum Event: Sendable {
        /// Something moved.
        case progress
        /// Bytes have come, for which there is room; with the length that the server has announced.
        case data(SlabPiece, length: Int64?)
        /// There is no room, and nothing is read until ``FTPTransfer/resume()``.
        case full
        case completed(TransferOutcome)
    }

    private let loop = EventLoop(name: "ftp")
    private let request: TransferRequest
    private let mailbox: Mailbox
    private let tell: @Sendable (Event) -> Void
    private var multi: MultiHandle?
    private var transfer: Transfer?

    init(
        _ request: TransferRequest,
        mailbox: Mailbox,
        tell: @escaping @Sendable (Event) -> Void
    ) {
        self.request = request
        self.mailbox = mailbox
        self.tell = tell
    }

    /// Begins.
    func start() {
        loop.perform { [self] in
            let multi = MultiHandle(
                loop: loop,
                pool: SlabPool(),
                limits: TransferLimits(connectionsPerHost: 0, connections: 0)
            )
            let transfer = Transfer(request: request, delegate: self)
            self.multi = multi
            self.transfer = transfer
            multi.add(transfer)
        }
        loop.start()
    }

    /// Goes on reading after there was no room.
    func resume() {
        loop.perform { [self] in
            if let transfer { multi?.resume(transfer) }
        }
    }

    /// Ends it, at the latest when libcurl does not block any more; nothing more is told.
    func stop() {
        loop.perform { [self] in
            if let transfer { multi?.remove(transfer) }
            end()
        }
    }

    /// Lets go of everything, when libcurl has returned, and of the thread.
    private func end() {
        transfer = nil
        loop.perform { [self] in
            multi = nil
            loop.shutDown()
        }
    }
}

// MARK: - TransferDelegate

extension FTPTransfer: TransferDelegate {
    func transferDidBegin(_ transfer: Transfer) {
        tell(.progress)
    }

    func transferDidMakeProgress(_ transfer: Transfer) {
        tell(.progress)
    }

    /// A line of the conversation with the server.
    func transfer(_ transfer: Transfer, didReceiveHeaderLine line: [UInt8]) -> Bool {
        tell(.progress)
        return true
    }

    func transfer(_ transfer: Transfer, willReceive count: Int) -> ReceiveAnswer {
        // Cancelled: the stop is on its way. Told to end it from in here, libcurl would wait for the server.
        guard !mailbox.isOver else { return .pause }
        guard mailbox.reserve(count) else {
            tell(.full)
            return .pause
        }
        return .take
    }

    func transfer(_ transfer: Transfer, didReceive piece: SlabPiece) {
        tell(.data(piece, length: transfer.announcedLength))
    }

    func transfer(_ transfer: Transfer, didCompleteWith outcome: TransferOutcome) {
        tell(.completed(outcome))
        end()
    }
}
