internal import EventLoops
internal import Foundation

/// The file that a load is written to.
///
/// Loop affinity; what the writer says on its queue comes back to the loop.
final class DownloadedFile: @unchecked Sendable {
    // Loop affinity, but for the constants.
    let file: TemporaryFile

    /// How many bytes were handed to the writer.
    private(set) var length: Int64 = 0

    /// How many bytes the delegate was told of.
    var told: Int64 = 0

    private let writer: FileWriter
    private let loop: EventLoop

    /// Makes a file in `folder`, on the writer's queue; `failed` is called on the loop.
    init(
        in folder: String,
        on loop: EventLoop,
        failed: @escaping @Sendable (FileFailure) -> Void
    ) {
        let file = TemporaryFile(in: folder)
        self.file = file
        self.loop = loop
        writer = FileWriter(blockSize: 64 << 10, waitingLimit: .max) { () throws(FileFailure) in
            try file.make()
        } onEvent: { event in
            guard case .failed(let failure) = event else { return }
            loop.perform { failed(failure) }
        }
    }

    /// Writes bytes; `done` is called on the loop with the length of what is on the disk by then.
    func append(_ data: Data, done: @escaping @Sendable (_ length: Int64) -> Void) {
        length += Int64(data.count)
        _ = writer.append(data) { [loop] length in loop.perform { done(length) } }
    }

    /// Writes what waits, and closes; `done` is called on the loop.
    func close(done: @escaping @Sendable (FileWriter.Outcome) -> Void) {
        writer.close(syncs: false) { [loop] outcome in loop.perform { done(outcome) } }
    }

    /// Nobody wants the file any more.
    func abandon() {
        writer.abandon()
    }
}
