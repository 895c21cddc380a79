import Foundation
import Testing

@Suite("Ten thousand at once", .timeLimit(.minutes(3)))
struct ManyAtOnceTests {
    @Test(
        "10,000 connections on one loop all finish, on 64 network connections and no more threads"
    )
    func tenThousand() async throws {
        let program = try await Program("ManyAtOnce")
        #expect(program.lines.first == "10000 of 10000 finished, 10240000 bytes")
        let most = try #require(number(in: program.lines[1], at: 0))
        #expect((1...64).contains(most), "\(program.lines[1])")
        let threads = numbers(in: program.lines[2])
        #expect(threads.count == 3 && threads[0] == threads[1] && threads[1] == threads[2])
        // What 10,000 connections took has been given back, but for what the allocator keeps.
        let memory = numbers(in: program.lines[3])
        #expect(memory.count == 2 && memory[1] <= memory[0] + 15, "\(program.lines[3])")
        #expect(program.status == 0)
    }

    private func numbers(in line: String) -> [Int] {
        line.split { !$0.isNumber }.compactMap { Int($0) }
    }

    private func number(in line: String, at index: Int) -> Int? {
        numbers(in: line).dropFirst(index).first
    }
}
