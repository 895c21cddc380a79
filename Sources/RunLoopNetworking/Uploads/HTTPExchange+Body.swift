internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

// MARK: - The body that goes out

extension HTTPExchange {
    /// Lets the reader of the body stream find its way back to the loop.
    func attachReader() {
        reader?.tell(
            waits: { [weak self] in self?.load.suspendIdleClock(.body) },
            ready: { [weak self, loop = load.loop] in
                loop.perform { [weak self] in self?.bodyGoesOn() }
            }
        )
    }

    /// Nothing more is read from the body stream.
    func detachReader() {
        guard let reader else { return }
        reader.stop()
        load.resumeIdleClock(.body)
    }

    /// The stream has something, after it had nothing.
    private func bodyGoesOn() {
        guard !load.isOver, let transfer else { return }
        load.resumeIdleClock(.body)
        load.loader.multi?.resumeSending(transfer)
    }

    /// A final response has come, perhaps before the body is out.
    ///
    /// From a status of 300 on it says that the server does not want the rest (RFC 9112 section 9.5).
    /// Another one may go on reading: the body is sent to its end.
    func endSending(at head: HeaderBlock) {
        guard head.statusCode >= 300 else { return }
        transfer?.stopSending()
        detachReader()
    }

    func transfer(_ transfer: Transfer, didSend total: Int64) {
        guard load.hearsSentBody, total != toldSent else { return }
        let expected = transfer.request.body?.length ?? -1
        load.emit(.sentBody(SentBody(total: total, before: toldSent, expected: expected)))
        toldSent = total
    }

    /// Whether the request is to go out once more, on a network connection of its own.
    ///
    /// libcurl sends a request again by itself where it can; not a body that comes once, nor one of
    /// which a part was written before the end was noticed, nor over HTTP/2.
    func foundDeadConnection(_ outcome: TransferOutcome) -> Bool {
        outcome.isWorthAnother && !parser.hasBegun && failure == nil && !load.needsFreshConnection
    }
}
