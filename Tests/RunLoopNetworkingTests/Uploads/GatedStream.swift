import EventLoops
import Foundation
import NetworkingTestKit

/// A body stream of a user's own making: it brings a piece when the test opens a gate.
final class GatedStream: InputStream {
    /// What a test sees of the stream.
    final class Watch: Sendable {
        /// Opened when a read waits at all.
        let isRead = Gate()

        /// Opened when the stream is closed.
        let isClosed = Gate()

        /// Where the stream was touched.
        let threads = Guarded<Set<ThreadNumber>>([])
    }

    let watch = Watch()
    private let pieces: [(Gate, [UInt8])]
    private var next = 0

    init(_ pieces: [(Gate, [UInt8])]) {
        self.pieces = pieces
        super.init(data: Data())
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
        watch.threads.withLock { _ = $0.insert(.current) }
        watch.isRead.open()
        guard next < pieces.count else { return 0 }
        let (gate, bytes) = pieces[next]
        next += 1
        try? gate.wait(limit: .seconds(30))
        let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
        unsafe room.copyBytes(from: bytes)
        return bytes.count
    }

    override func close() {
        super.close()
        watch.isClosed.open()
    }
}

/// A stream of a pattern; it counts what is taken of it.
final class PatternStream: InputStream {
    /// How many bytes were read so far.
    final class Taken: Sendable {
        let count = Guarded(0)
    }

    let taken = Taken()
    private let size: Int

    init(size: Int) {
        self.size = size
        super.init(data: Data())
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
        let (offset, count) = taken.count.withLock { [size] taken in
            let count = min(count, size - taken)
            defer { taken += count }
            return (taken, count)
        }
        let bytes = CounterPattern.bytes(count: count, from: offset)
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: bytes)
        return count
    }
}
