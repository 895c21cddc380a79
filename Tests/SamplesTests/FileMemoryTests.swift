import Foundation
import Testing

@Suite("What a local file costs in memory", .timeLimit(.minutes(2)))
struct FileMemoryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The most memory that loading a file of so many bytes takes, in KiB.
    private func peak(size: UInt64, _ arguments: [String]) async throws -> Double {
        let file = folder.url.appendingPathComponent("\(size)")
        try Data().write(to: file)
        try FileHandle(forWritingTo: file).truncate(atOffset: size)
        let lines = try await TranscriptLines(arguments + [file.absoluteString])
        #expect(lines.summary == .summary(1, finished: 1, bytes: Int(size)))
        return try #require(lines.figures.dropFirst().first)
    }

    @Test("A file of 64 MiB takes no more than one of 2 MiB", arguments: [[], ["--slow", "1"]])
    func constant(arguments: [String]) async throws {
        let small = try await peak(size: 2 << 20, arguments)
        let large = try await peak(size: 64 << 20, arguments)
        #expect(large < small + 4096)
    }
}
