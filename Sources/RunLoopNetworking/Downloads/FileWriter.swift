internal import Digests
internal import Dispatch
private import EventLoops
internal import Foundation

/// Writes what comes to a file, in large blocks, on a queue of its own.
///
/// ```swift
/// let writer = FileWriter { () throws(FileFailure) in
///     try WritableFile(path, .new)
/// } onEvent: { event in
///     loop.perform { heard(event) }
/// }
/// if !writer.append(data) { pause() }  // until .caughtUp
/// writer.close { outcome in … }
/// ```
///
/// Every method may be called from any thread, and returns at once; what was asked for happens in the
/// order of the calls. The queue keeps the writer until all of it has happened.
final class FileWriter: Sendable {
    /// What a writer tells without being asked, on its queue.
    enum Event: Equatable, Sendable {
        /// There is room again, after ``FileWriter/append(_:)`` said that there was none.
        case caughtUp

        /// The file can't be opened or written. Told once; whatever is appended from now on is dropped.
        case failed(FileFailure)
    }

    /// What has become of the file.
    struct Outcome: Equatable, Sendable {
        /// How many bytes it has from its beginning.
        let length: Int64

        /// The digests of these bytes, in the order in which they were asked for.
        let digests: [Digest]

        /// What went wrong, if something did; the bytes may not be on the disk then.
        let failure: FileFailure?
    }

    private struct State {
        var waiting = 0
        /// Whether somebody was told that there is no room.
        var isFull = false
        var isAbandoned = false
        var failure: FileFailure?

        var takesBytes: Bool { !isAbandoned && failure == nil }
    }

    private let state = Guarded(State())
    /// Nil before it is opened and when it is closed.
    ///
    /// Only the queue asks for it.
    private let file = Guarded<BlockedFile?>(nil)
    private let queue = DispatchQueue(label: "RunLoopNetworking.FileWriter")
    private let waitingLimit: Int
    private let onEvent: @Sendable (Event) -> Void

    /// Makes a writer that opens its file on its queue.
    ///
    /// - Parameters:
    ///   - offset: How many bytes are there already; what the file has beyond them is dropped.
    ///   - blockSize: How many bytes are written at once; a block is also what a writer holds in memory.
    ///   - waitingLimit: How many bytes may wait to be written before there is no more room.
    ///   - algorithms: Which digests are made. The bytes that are there already are read for them first.
    ///   - open: Opens the file; called once, on the queue.
    ///   - onEvent: Called on the queue.
    init(
        at offset: Int64 = 0,
        blockSize: Int = 1 << 20,
        waitingLimit: Int = 1 << 20,
        algorithms: [DigestAlgorithm] = [],
        open: @escaping @Sendable () throws(FileFailure) -> WritableFile,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.waitingLimit = waitingLimit
        self.onEvent = onEvent
        queue.async { [self] in
            attempt { () throws(FileFailure) in
                let opened = try BlockedFile(
                    open(),
                    at: offset,
                    blockSize: blockSize,
                    algorithms: algorithms,
                    isWanted: { state.withLock { $0.takesBytes } }
                )
                file.withLock { $0 = opened }
            }
        }
    }

    /// Hands over the next bytes; false when the caller is to wait for ``Event/caughtUp``.
    ///
    /// `done` is called on the queue, also when the bytes were dropped, with how many bytes the file has
    /// by then; what waits for its block to become whole does not count.
    func append(_ data: Data, done: (@Sendable (Int64) -> Void)? = nil) -> Bool {
        let hasRoom = state.withLock { state in
            guard state.takesBytes else { return true }
            state.waiting += data.count
            if state.waiting > waitingLimit { state.isFull = true }
            return !state.isFull
        }
        queue.async { [self] in
            change { (file) throws(FileFailure) in try file.append(data.bytes) }
            if let done { done(file.withLock { $0?.length ?? 0 }) }
            let isRoomAgain = state.withLock { state in
                guard state.takesBytes else { return false }
                state.waiting -= data.count
                guard state.isFull, state.waiting <= waitingLimit / 2 else { return false }
                state.isFull = false
                return true
            }
            if isRoomAgain { onEvent(.caughtUp) }
        }
        return hasRoom
    }

    /// Sets room aside for a file of `length` bytes; too little room is a failure of the writer.
    func reserve(_ length: Int64) {
        queue.async { [self] in
            change { (file) throws(FileFailure) in try file.reserve(length) }
        }
    }

    /// Has all bytes so far on the disk, then calls `completion` on the queue.
    func sync(_ completion: @escaping @Sendable (Outcome) -> Void) {
        queue.async { [self] in
            change { (file) throws(FileFailure) in try file.sync() }
            completion(outcome)
        }
    }

    /// Writes what waits and closes the file, then calls `completion` on the queue.
    ///
    /// With `syncs`, all is on the disk then. After a failure the bytes that could be written are. Of
    /// several calls the first closes; all are answered.
    func close(syncs: Bool = true, _ completion: @escaping @Sendable (Outcome) -> Void) {
        queue.async { [self] in
            change { (file) throws(FileFailure) in
                try syncs ? file.sync() : file.flush()
                try file.close()
            }
            let outcome = outcome
            // After a failure as well: it gives the descriptor and the lock back.
            file.withLock { $0 = nil }
            state.withLock { $0.isAbandoned = true }
            completion(outcome)
        }
    }

    /// Closes the file as soon as possible, and drops what waits; the file stays.
    ///
    /// No event follows but one that is being told.
    func abandon() {
        state.withLock { $0.isAbandoned = true }
        queue.async { [self] in file.withLock { $0 = nil } }
    }
}

// MARK: - On the queue

extension FileWriter {
    private var outcome: Outcome {
        let failure = state.withLock { $0.failure }
        return file.withLock { file in
            Outcome(length: file?.length ?? 0, digests: file?.digests ?? [], failure: failure)
        }
    }

    /// Does something with the file, if it is open and nothing has failed.
    private func change(_ body: (inout BlockedFile) throws(FileFailure) -> Void) {
        guard state.withLock({ $0.takesBytes }) else { return }
        attempt { () throws(FileFailure) in
            try file.withLock { (file: inout sending BlockedFile?) throws(FileFailure) in
                guard var open = file.take() else { return }
                defer { file = open }
                try body(&open)
            }
        }
    }

    private func attempt(_ body: () throws(FileFailure) -> Void) {
        do throws(FileFailure) {
            try body()
        } catch {
            let isTold = state.withLock { state in
                state.failure = state.failure ?? error
                state.waiting = 0
                return !state.isAbandoned
            }
            if isTold { onEvent(.failed(error)) }
        }
    }
}
