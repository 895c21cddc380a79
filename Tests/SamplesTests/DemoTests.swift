import Foundation
import Testing

@Suite("Demo", .timeLimit(.minutes(2)))
struct DemoTests {
    @Test("The demo downloads 700 MB from another process and ends with one line of figures")
    func demo() async throws {
        let program = try await Program("Demo")
        #expect(program.lines.count == 1)
        let line = program.lines.last ?? ""
        let pattern =
            /downloaded 734003200 bytes in \d+\.\d\d s \(\d+ MB\/s\), peak resident \d+\.\d MB, sha256 ok/
        #expect(line.wholeMatch(of: pattern) != nil, "\(line) \(program.errors)")
        #expect(program.status == 0)
    }
}
