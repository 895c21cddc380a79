import NetworkingTestKit
import Testing

@Suite("Conversation grammar", .timeLimit(.minutes(1)))
struct ConversationGrammarTests {
    @Test(
        "Legal conversations have no faults",
        arguments: [
            [], [.response(200)], [.response(200), .data(1), .data(2), .finished],
            [.failed(.timedOut)], [.response(200), .failed(.networkConnectionLost)],
            [.response(200), .data(1), .response(200), .data(1), .finished],
        ] as [[TranscriptMessage]]
    )
    func legal(transcript: [TranscriptMessage]) {
        #expect(ConversationGrammar.faults(in: transcript).isEmpty)
    }

    @Test(
        "Each broken rule is one fault",
        arguments: [
            [.data(1)], [.finished], [.response(200), .data(0)],
            [.response(200), .finished, .finished], [.failed(.timedOut), .response(200)],
        ] as [[TranscriptMessage]]
    )
    func illegal(transcript: [TranscriptMessage]) {
        #expect(ConversationGrammar.faults(in: transcript).count == 1)
    }
}
