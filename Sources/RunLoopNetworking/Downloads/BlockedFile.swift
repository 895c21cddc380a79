internal import Digests
private import Foundation

/// A file that is written in large blocks from an offset on, and the digests of all its bytes.
///
/// Its calls block while the disk is at work: it belongs to a queue of its own.
struct BlockedFile: Sendable {
    /// How many bytes the file has from its beginning that were handed to the system.
    private(set) var length: Int64

    private let file: WritableFile
    private let blockSize: Int
    private var digesters: [Digester]
    /// What came, and is not yet a whole block.
    private var block: [UInt8] = []

    /// Takes a file of which `offset` bytes are there, and drops what it has beyond.
    ///
    /// What is there is read for the digests, for as long as `isWanted` says so.
    ///
    /// - Throws: ``FileFailure`` when that fails.
    init(
        _ file: WritableFile,
        at offset: Int64,
        blockSize: Int,
        algorithms: [DigestAlgorithm],
        isWanted: () -> Bool
    ) throws(FileFailure) {
        precondition(blockSize > 0 && offset >= 0, "give a size above 0, and no negative offset")
        self.file = file
        self.blockSize = blockSize
        length = offset
        digesters = algorithms.map { Digester($0) }
        // A longer one it must not become: that would be a hole where bytes are meant to be.
        let present = file.isRegular ? try file.length() : offset
        guard present >= offset else { throw Self.tooShort(file) }
        try file.truncate(to: offset)
        if !digesters.isEmpty { try readAgain(while: isWanted) }
    }

    /// The digests of the bytes so far, in the order of the algorithms.
    var digests: [Digest] { digesters.map { $0.finalize() } }

    /// Takes the next bytes, and writes what has become whole blocks.
    ///
    /// Blocks end at multiples of their size, wherever the first one began.
    ///
    /// - Throws: ``FileFailure`` when they can't be written.
    mutating func append(_ bytes: RawSpan) throws(FileFailure) {
        for index in digesters.indices { digesters[index].update(bytes) }
        var start = 0
        while start < bytes.byteCount {
            let filled = (length + Int64(block.count)) % Int64(blockSize)
            let count = min(blockSize - Int(filled), bytes.byteCount - start)
            let piece = bytes.extracting(start..<start + count)
            start += count
            let isWhole = Int(filled) + count == blockSize
            if isWhole, block.isEmpty {
                try write(piece)
            } else {
                unsafe piece.withUnsafeBytes { unsafe block.append(contentsOf: $0) }
                if isWhole { try flush() }
            }
        }
    }

    /// Writes what waits for its block to become whole.
    ///
    /// - Throws: ``FileFailure`` when it can't be written.
    mutating func flush() throws(FileFailure) {
        let waiting = block
        block = []
        try unsafe write(waiting.span.bytes)
        if waiting.count == blockSize { keepMemory(of: waiting) }
    }

    /// Returns when all bytes so far are on the disk.
    ///
    /// - Throws: ``FileFailure`` when some are not.
    mutating func sync() throws(FileFailure) {
        try flush()
        try file.sync()
    }

    /// Sets room aside for a file of `length` bytes.
    ///
    /// - Throws: ``FileFailure`` when there is not so much.
    func reserve(_ length: Int64) throws(FileFailure) {
        try file.reserve(from: self.length, to: length)
    }

    /// Closes the file; nothing may follow.
    ///
    /// - Throws: ``FileFailure`` when bytes were lost.
    func close() throws(FileFailure) {
        // Gives back what was set aside and did not come.
        try file.truncate(to: length)
        try file.close()
    }

    private mutating func write(_ bytes: RawSpan) throws(FileFailure) {
        var start = 0
        while start < bytes.byteCount {
            let count = try file.write(bytes.extracting(start..<bytes.byteCount), at: length)
            start += count
            length += Int64(count)
        }
    }

    private mutating func keepMemory(of block: consuming [UInt8]) {
        self.block = block
        self.block.removeAll(keepingCapacity: true)
    }

    private mutating func readAgain(while isWanted: () -> Bool) throws(FileFailure) {
        var bytes = [UInt8](repeating: 0, count: Int(min(Int64(blockSize), max(length, 1))))
        var offset: Int64 = 0
        while offset < length, isWanted() {
            let count = try file.read(into: &bytes, at: offset)
            let wanted = Int(min(Int64(count), length - offset))
            guard wanted > 0 else { throw Self.tooShort(file) }
            for index in digesters.indices {
                digesters[index].update(bytes.span.extracting(..<wanted))
            }
            offset += Int64(wanted)
        }
    }

    private static func tooShort(_ file: WritableFile) -> FileFailure {
        FileFailure(operation: .read, number: ENODATA, path: file.path)
    }
}
