internal import CurlTransfers
internal import Dispatch

/// Reads a file in blocks on a queue of its own, where it may block.
///
/// One block at a time is asked for.
final class FileReading: @unchecked Sendable {
    // Only the queue touches the file; the rest are constants.
    /// Some bytes of the file.
    struct Block: Sendable {
        /// Nil when there are none.
        let piece: SlabPiece?
        /// Whether the file has no more bytes for now.
        let isLast: Bool
    }

    /// How many bytes a block has, but for the last one.
    static let blockSize = 256 << 10

    private static let pool = SlabPool()

    private let queue = DispatchQueue(label: "RunLoopNetworking.file", qos: .utility)
    private var file: LocalFile?

    /// Opens a file, and tells its size on the queue.
    func open(
        _ path: [UInt8],
        _ done: @escaping @Sendable (Result<Int, LocalFile.Refusal>) -> Void
    ) {
        queue.async { [self] in
            do throws(LocalFile.Refusal) {
                let file = try LocalFile(path)
                self.file = file
                done(.success(file.size))
            } catch {
                done(.failure(error))
            }
        }
    }

    /// Reads the next block of `size` bytes, and tells it on the queue.
    func read(
        _ size: Int,
        _ done: @escaping @Sendable (Result<Block, LocalFile.Refusal>) -> Void
    ) {
        queue.async { [self] in
            guard let file else { return }
            do throws(LocalFile.Refusal) {
                let piece = unsafe try Self.pool.piece(size: size) {
                    (room: UnsafeMutableRawBufferPointer) throws(LocalFile.Refusal) -> Int in
                    unsafe try file.read(into: room)
                }
                done(.success(Block(piece: piece, isLast: (piece?.count ?? 0) < size)))
            } catch {
                done(.failure(error))
            }
        }
    }

    /// Closes the file, when what is being read has been read.
    func close() {
        queue.async { [self] in file = nil }
    }
}
