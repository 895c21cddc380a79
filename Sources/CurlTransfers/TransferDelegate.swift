/// Who hears of a transfer.
///
/// All calls come on the loop.
/// The calls marked "inside libcurl" come from one of its callbacks: adding, removing and resuming
/// transfers is allowed there and takes effect when libcurl has returned.
package protocol TransferDelegate: AnyObject {
    /// libcurl took the transfer up: it looks up a name, opens a socket, or sends on one that is
    /// open. Until then it waits for a place among the connections. Inside libcurl.
    func transferDidBegin(_ transfer: Transfer)

    /// Something moved that is not yet part of the response: connecting, TLS, sending the body.
    func transferDidMakeProgress(_ transfer: Transfer)

    /// The handshake waits until ``MultiHandle/proceed(_:isShared:)``, or the transfer's removal.
    ///
    /// Only where the request has it asked. Others go on meanwhile.
    func transfer(_ transfer: Transfer, asks question: HandshakeQuestion)

    /// It has come so far; only if the transfer is observed (``Transfer/isObserved``). Inside libcurl.
    func transfer(_ transfer: Transfer, didReach milestone: TransferMilestone)

    /// Bytes of the body have gone out, `total` since it began; heads and chunk lines don't count.
    ///
    /// It goes back when libcurl sends the body once more. Inside libcurl.
    func transfer(_ transfer: Transfer, didSend total: Int64)

    /// A line of a response's head came, with its line end. Inside libcurl.
    ///
    /// Return false to end the transfer; it completes with ``CurlCode/writeError``.
    func transfer(_ transfer: Transfer, didReceiveHeaderLine line: [UInt8]) -> Bool

    /// Body bytes have come, and are decoded; should they be taken? Inside libcurl.
    func transfer(_ transfer: Transfer, willReceive count: Int) -> ReceiveAnswer

    /// Body bytes were taken, right after ``ReceiveAnswer/take``. Inside libcurl.
    func transfer(_ transfer: Transfer, didReceive piece: SlabPiece)

    /// libcurl is done; the transfer has been taken out, and nothing more is heard of it.
    func transfer(_ transfer: Transfer, didCompleteWith outcome: TransferOutcome)
}

extension TransferDelegate {
    /// For delegates whose requests have nothing asked.
    package func transfer(_ transfer: Transfer, asks question: HandshakeQuestion) {
        preconditionFailure("a delegate was asked about a handshake and has no answer")
    }

    package func transfer(_ transfer: Transfer, didReach milestone: TransferMilestone) {}

    /// Does nothing.
    package func transfer(_ transfer: Transfer, didSend total: Int64) {}
}

/// What is to be done with body bytes that are held out.
package enum ReceiveAnswer: Sendable {
    /// Take them.
    case take
    /// Throw them away and go on.
    case discard
    /// Keep them until ``MultiHandle/resume(_:)``, and read no more until then.
    case pause
    /// End the transfer; it completes with ``CurlCode/writeError``.
    case stop
}
