import Foundation
import Testing

@Suite("What ten thousand at once cost in memory", .timeLimit(.minutes(3)))
struct ManyAtOnceMemoryTests {
    @Test("What 10,000 connections took is given back, but for what the allocator keeps")
    func givenBack() async throws {
        let program = try await Program("ManyAtOnce")
        let memory = Program.numbers(in: program.lines[3])
        #expect(memory.count == 2 && memory[1] <= memory[0] + 15, "\(program.lines[3])")
    }
}
