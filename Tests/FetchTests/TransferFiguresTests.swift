import FetchTerminal
import Testing

@Suite struct TransferFiguresTests {
    @Test func `A transfer has a name`() {
        #expect(TransferFigures(name: "a").name == "a")
    }
}
