import EventLoops
import Testing

@Suite("Readiness", .timeLimit(.minutes(1)))
struct ReadinessTests {
    @Test(
        "It reads as what it holds",
        arguments: [
            ([], "none"), (.read, "read"), (.write, "write"), ([.read, .write], "read+write"),
        ] as [(Readiness, String)]
    )
    func description(readiness: Readiness, text: String) {
        #expect(readiness.description == text)
    }
}
