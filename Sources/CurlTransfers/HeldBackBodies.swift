/// The transfers whose server does not want the rest of their body, while their response comes.
///
/// libcurl 7.88.1 does not find the end of such a transfer by itself: what is sent is paused, and it
/// waits for both directions. So after each of its turns it is asked to send once more. Either the
/// response is over, and so is the transfer; or it asks for the body, and is held back again.
///
/// Loop affinity.
final class HeldBackBodies {
    private var transfers: [ObjectIdentifier: Transfer] = [:]

    /// The transfer was asked for more of its body, and has answered with a pause.
    func add(_ transfer: Transfer) {
        transfers[ObjectIdentifier(transfer)] = transfer
    }

    /// The transfer is over.
    func remove(_ transfer: Transfer) {
        transfers[ObjectIdentifier(transfer)] = nil
    }

    /// Takes all of them out.
    func takeAll() -> [Transfer] {
        guard !transfers.isEmpty else { return [] }
        defer { transfers = [:] }
        return Array(transfers.values)
    }
}
