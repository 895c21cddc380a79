import Foundation
import Testing

@Suite("A slow delegate", .timeLimit(.minutes(4)))
struct SlowDelegateMemoryTests {
    @Test("A large file for a delegate that takes its time costs little more than a small one")
    func slowDelegate() async throws {
        let program = try await Program("SlowDelegate", ["--size", "150000000"])
        #expect(program.lines.first?.hasPrefix("ten others: 10 right, 500 MB in ") == true)
        // The ten were done when the slow one had hardly begun.
        let percent = program.lines.dropFirst().first?.split(separator: " ").dropLast().last
        #expect(try #require(percent.flatMap { Int($0) }) < 50)
        #expect(program.lines.contains("the slow one: 150000000 bytes, every byte in order"))
        // Megabytes at the most, their tenths, and megabytes after one small load.
        let memory = Program.numbers(in: program.lines.last ?? "")
        #expect(memory.count == 3 && memory[0] <= memory[2] + 8, "\(program.lines.last ?? "")")
        #expect(program.status == 0)
    }
}
