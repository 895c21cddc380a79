import Testing

@testable import EventLoops

@Suite("A latch", .timeLimit(.minutes(1)))
struct LatchTests {
    @Test("It lets everybody through once it is open, however often it is opened")
    func open() {
        let latch = Latch()
        let transcript = Transcript<String>()
        let threads = (0..<3).map { _ in
            LoopThread(name: "waits") {
                latch.wait()
                transcript.note("through")
            }
        }
        #expect(!ThisProcess.yields(until: { !transcript.entries.isEmpty }))
        latch.open()
        latch.open()
        for thread in threads { thread.join() }
        latch.wait()
        #expect(transcript.entries.count == 3)
    }

    @Test("A latch that nobody opened can go")
    func release() {
        weak var latch: Latch?
        do {
            let new = Latch()
            latch = new
        }
        #expect(latch == nil)
    }
}
