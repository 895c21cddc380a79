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
        let most = try #require(Program.numbers(in: program.lines[1]).first)
        #expect((1...64).contains(most), "\(program.lines[1])")
        let threads = Program.numbers(in: program.lines[2])
        #expect(threads.count == 3 && threads[0] == threads[1] && threads[1] == threads[2])
        #expect(program.status == 0)
    }
}
