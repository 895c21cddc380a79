internal import Dispatch

/// The queue on which a download hears of its connection, and which can stand still.
///
/// While it does, what comes waits in the connection's mailbox, and then in the kernel. Only the target
/// queue may call it.
final class DownloadDelivery: @unchecked Sendable {
    // The target queue alone reads and changes what is not a constant.
    /// Why it stands still.
    enum Hold: Hashable {
        /// The writer has no room.
        case writer
        /// More than the limit of bytes per second has come.
        case rate
    }

    let queue: DispatchQueue
    private var holds: Set<Hold> = []

    init(target: DispatchQueue) {
        queue = DispatchQueue(label: "RunLoopNetworking.FileDownload.delivery", target: target)
    }

    deinit {
        // Dispatch stops a program that lets go of a queue which stands still.
        releaseAll()
    }

    func hold(_ reason: Hold) {
        if holds.isEmpty { queue.suspend() }
        holds.insert(reason)
    }

    func release(_ reason: Hold) {
        guard holds.remove(reason) != nil, holds.isEmpty else { return }
        queue.resume()
    }

    func releaseAll() {
        for reason in holds { release(reason) }
    }
}
