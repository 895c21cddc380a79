internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// A `file:` URL, read off the loop block by block.
///
/// A file that grows while it is read is read to its end at that time; one that shrinks fails.
final class FileExchange: Exchange, @unchecked Sendable {
    // Loop affinity; Sendable so that the reading can find it again.
    private let load: Load
    private let path: [UInt8]
    private let reading = FileReading()
    private var size = 0
    private var received = 0
    private var isOver = false

    /// Makes an exchange for the load's request.
    ///
    /// - Throws: ``Failure`` when the URL leads to no place on this machine.
    init(load: Load, url: URL) throws(Failure) {
        self.load = load
        path = try FileURL(url).path
    }

    func start() {
        load.touch()
        reading.open(path) { [self, loop = load.loop] result in
            loop.perform { [self] in opened(result) }
        }
    }

    func resumeReading() {
        if !isOver { readNext() }
    }

    func stop() {
        isOver = true
        reading.close()
    }

    private func opened(_ result: Result<Int, LocalFile.Refusal>) {
        guard !isOver, let url = load.request.url else { return }
        load.touch()
        switch result {
        case .failure(let refusal):
            fail(Failure(refusal))
        case .success(let size):
            self.size = size
            let response = LoadedURLResponse(
                url: url,
                mimeType: FilenameExtension.mimeType(for: url.pathExtension),
                expectedContentLength: size,
                textEncodingName: nil
            )
            load.emit(.response(response))
            readNext()
        }
    }

    private func readNext() {
        // One byte more than there should be, to see the end in the same go.
        let wanted = max(size - received, 0) + 1
        let block = SlabPool.sizes.first { $0 >= wanted } ?? FileReading.blockSize
        guard load.room(for: block) else { return }
        reading.read(block) { [self, loop = load.loop] result in
            loop.perform { [self] in read(result, of: block) }
        }
    }

    private func read(_ result: Result<FileReading.Block, LocalFile.Refusal>, of room: Int) {
        guard !isOver else { return }
        load.touch()
        switch result {
        case .failure(let refusal):
            fail(Failure(refusal))
        case .success(let block):
            let count = block.piece?.count ?? 0
            received += count
            if let piece = block.piece { load.emit(.data(piece)) }
            load.giveBackRoom(for: room - count)
            if block.isLast { end() } else { readNext() }
        }
    }

    private func end() {
        guard received >= size else {
            return fail(
                Failure(.networkConnectionLost, "The file became shorter while it was read.")
            )
        }
        stop()
        load.finish()
    }

    private func fail(_ failure: Failure) {
        stop()
        load.fail(failure)
    }
}
