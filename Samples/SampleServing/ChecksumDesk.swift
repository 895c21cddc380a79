internal import Digests
private import Dispatch
private import EventLoops

/// Computes the digests of pattern files on threads of its own, each size once.
///
/// Any thread may call it.
final class ChecksumDesk: Sendable {
    typealias Receiver = @Sendable (SHA256Digest) -> Void

    private struct State {
        var finished: [Int64: SHA256Digest] = [:]
        /// Who waits for the digest of a size that is being computed.
        var waiting: [Int64: [Int: Receiver]] = [:]
    }

    /// How many blocks are hashed between two looks whether anybody still waits.
    private static let blocksAtOnce: Int64 = 16

    /// Guarded by the mutex.
    private let state = Guarded(State())

    private let queue = DispatchQueue(label: "sample server checksums", attributes: .concurrent)

    /// Calls `receive` with the digest, on any thread, unless `reader` is withdrawn before.
    func digest(ofSize size: Int64, for reader: Int, then receive: @escaping Receiver) {
        let (known, isNew) = state.withLock { state -> (SHA256Digest?, Bool) in
            if let known = state.finished[size] { return (known, false) }
            let isNew = state.waiting[size] == nil
            state.waiting[size, default: [:]][reader] = receive
            return (nil, isNew)
        }
        if let known { return receive(known) }
        if isNew { queue.async { self.compute(size) } }
    }

    /// Lets a reader wait no more; what nobody waits for is given up.
    func withdraw(_ reader: Int) {
        state.withLock { state in
            for size in state.waiting.keys { state.waiting[size]?[reader] = nil }
        }
    }

    private func compute(_ size: Int64) {
        var hasher = SHA256Hasher()
        let step = Self.blocksAtOnce * Int64(Pattern.blockSize)
        var start: Int64 = 0
        while start < size {
            guard isWanted(size) else { return }
            let end = size - start > step ? start + step : size
            Self.hash(start..<end, into: &hasher)
            start = end
        }
        let digest = hasher.finalize()
        let receivers = state.withLock { state in
            state.finished[size] = digest
            return state.waiting.removeValue(forKey: size) ?? [:]
        }
        for receive in receivers.values { receive(digest) }
    }

    /// Whether anybody waits; when nobody does, the next one begins anew.
    private func isWanted(_ size: Int64) -> Bool {
        state.withLock { state in
            guard state.waiting[size]?.isEmpty ?? true else { return true }
            state.waiting[size] = nil
            return false
        }
    }

    private static func hash(_ range: Range<Int64>, into hasher: inout SHA256Hasher) {
        var cursor = BodyCursor(.pattern(range))
        while let piece = cursor.next(atMost: Pattern.blockSize) {
            switch piece {
            case .own(let bytes): hasher.update(bytes)
            case .shared(let part): PatternBlock.shared.withBytes(in: part) { hasher.update($0) }
            }
        }
    }
}
