import Foundation
import Testing

@Suite("A slow delegate", .timeLimit(.minutes(4)))
struct SlowDelegateMemoryTests {
    @Test("700 MB for a delegate that takes its time fit in 40 MB, and others do not wait for it")
    func slowDelegate() async throws {
        let program = try await Program("SlowDelegate")
        #expect(program.lines.first?.hasPrefix("ten others: 10 right, 500 MB in ") == true)
        // The ten were done when the slow one had hardly begun.
        let percent = program.lines.dropFirst().first?.split(separator: " ").dropLast().last
        #expect(try #require(percent.flatMap { Int($0) }) < 50)
        #expect(program.lines.contains("the slow one: 734003200 bytes, every byte in order"))
        let peak = program.lines.last?.split(separator: " ").dropFirst(2).first
        #expect(try #require(peak.flatMap { Double($0) }) < 40)
        #expect(program.status == 0)
    }
}
