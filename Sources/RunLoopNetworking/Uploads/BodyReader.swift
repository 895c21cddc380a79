internal import CurlTransfers
private import Dispatch
private import EventLoops
internal import Foundation

/// Reads a body stream on a queue of its own, and keeps a few pieces ready for the loop.
///
/// A stream may be of anybody's making, and may block: it is opened, read and closed on the queue
/// alone, and not before libcurl wants the first bytes. What waits is bounded (``BodyPieces``).
final class BodyReader: BodySource, @unchecked Sendable {
    // Constants and guarded values; what is marked belongs to the queue.
    private let queue = DispatchQueue(label: "RunLoopNetworking.BodyReader")
    private let pieces: Guarded<BodyPieces>
    private let callbacks = Guarded(Callbacks())

    // The queue's.
    private let stream: InputStream
    private var isOpen = false

    private struct Callbacks {
        var waits: @Sendable () -> Void = {}
        var ready: @Sendable () -> Void = {}
    }

    /// Makes a reader that has read nothing.
    init(_ body: StreamedBody) {
        stream = body.stream
        pieces = Guarded(BodyPieces(length: body.length))
    }

    /// Why the body can't be sent, from any thread; nil while it can.
    var failure: Failure? { pieces.withLock { $0.failure } }

    /// Sets who is told that the transfer waits for the stream, on the loop, and that there is more to
    /// say, on any thread.
    func tell(
        waits: @escaping @Sendable () -> Void,
        ready: @escaping @Sendable () -> Void
    ) {
        callbacks.withLock { $0 = Callbacks(waits: waits, ready: ready) }
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> BodyRead {
        let (answer, reads) = pieces.withLock { unsafe $0.take(into: room) }
        if answer == .later {
            let tell = callbacks.withLock { $0.waits }
            tell()
        }
        if reads { queue.async { [self] in readPieces() } }
        return answer
    }

    /// Reads no more; a read that is under way ends when it ends, and then the stream is closed.
    func stop() {
        pieces.withLock { $0.stop() }
        callbacks.withLock { $0 = Callbacks() }
        queue.async { [self] in close() }
    }
}

// MARK: - On the queue

extension BodyReader {
    private enum Read {
        case bytes([UInt8])
        case end
        case failed(Failure)
    }

    private func readPieces() {
        while !pieces.withLock({ $0.isOver }) {
            let read = isOpen ? readPiece() : open() ?? readPiece()
            let order = pieces.withLock { pieces in
                switch read {
                case .bytes(let bytes): pieces.append(bytes)
                case .end: pieces.end()
                case .failed(let failure): pieces.end(with: failure)
                }
            }
            if order.wakes {
                let tell = callbacks.withLock { $0.ready }
                tell()
            }
            guard order.goesOn else { break }
        }
        if pieces.withLock({ $0.isOver }) { close() }
    }

    /// Returns nil when the stream is open.
    private func open() -> Read? {
        guard stream.streamStatus == .notOpen else {
            return .failed(
                Failure(
                    .requestBodyStreamExhausted,
                    "The body stream was opened before, by its owner or by an earlier load; set a new "
                        + "one in each request."
                )
            )
        }
        stream.open()
        isOpen = true
        return stream.streamStatus == .error ? .failed(streamFailure("opened")) : nil
    }

    private func readPiece() -> Read {
        var result = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: BodyPieces.size) { room, count in
            guard let start = room.baseAddress else { return }
            result = unsafe stream.read(start, maxLength: room.count)
            count = max(0, min(result, room.count))
        }
        switch result {
        case 0: return .end
        case 1...BodyPieces.size: return .bytes(bytes)
        default: return .failed(streamFailure("read"))
        }
    }

    private func streamFailure(_ verb: String) -> Failure {
        // Foundation on Linux stops the program when it is asked for an error that is not there.
        let reason =
            stream.streamStatus == .error
            ? stream.streamError.map { ": \($0.localizedDescription)" } ?? "" : ""
        return Failure(
            .requestBodyStreamExhausted,
            "The body stream can't be \(verb)\(reason)"
        )
    }

    private func close() {
        guard isOpen else { return }
        isOpen = false
        stream.close()
    }
}
