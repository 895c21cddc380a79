import Foundation
import Testing

@Suite("What a download costs in memory", .timeLimit(.minutes(2)))
struct SeedMemoryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func peak(of program: Program) -> Double? {
        program.lines.last?.split(separator: " ").dropFirst(2).first.flatMap { Double($0) }
    }

    @Test("Collecting the file in memory costs the file in memory, writing pieces does not")
    func peakMemory() async throws {
        let folder = ["--size", "100000000", "--folder", folder.url.path]
        let pieces = try #require(peak(of: try await Program("SeedOutputStream", folder)))
        let collected = try await Program("SeedOutputStream", ["--collect"] + folder)
        #expect(try #require(peak(of: collected)) > pieces + 80)
    }
}
