import EventLoops
import NetworkingTestKit
import Testing

@Suite("The flush, and what other layers keep with a loop", .timeLimit(.minutes(1)))
struct LoopFlushTests {
    @Test("What is put off to the flush runs once, at the end of the turn")
    func endOfTurn() throws {
        let manual = ManualLoop()
        let transcript = Transcript<String>()
        let timer = manual.turn {
            manual.loop.atFlush { transcript.note("flush") }
            return manual.loop.timer(after: .zero) { transcript.note("timer") }
        }
        manual.turn()
        #expect(transcript.entries == ["timer", "flush"])
        timer.cancel()
    }

    @Test("What is put off during the flush runs in the flush of the next turn")
    func nextTurn() throws {
        let manual = ManualLoop()
        let loop = manual.loop
        let transcript = Transcript<String>()
        manual.turn {
            loop.atFlush {
                transcript.note("first")
                loop.atFlush { transcript.note("second") }
            }
        }
        #expect(transcript.entries == ["first"])
        manual.turn()
        #expect(transcript.entries == ["first", "second"])
    }

    @Test("An attachment is made once, and goes with the loop")
    func attachment() {
        weak var kept: Token?
        do {
            let loop = EventLoop()
            let first = loop.attachment { Token() }
            #expect(loop.attachment { Token() } === first)
            let other = loop.attachment { Transcript<Int>() }
            #expect(loop.attachment { Transcript<Int>() } === other)
            kept = first
        }
        #expect(kept == nil)
    }
}
