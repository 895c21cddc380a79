import Testing

@testable import LoopTrace

@Suite struct LoopTraceTests {
    @Test func `There is a trace`() {
        #expect(String(describing: LoopTrace.self) == "LoopTrace")
    }
}
