import Synchronization
import Testing

@testable import EventLoops

@Suite("A loop that was shut down", .timeLimit(.minutes(1)))
struct LoopAfterShutDownTests {
    @Test("A job is refused and let go of")
    func perform() {
        let loop = EventLoop()
        loop.shutDown()
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            #expect(!loop.perform { captured.use() })
            #expect(!loop.perform(after: .seconds(1)) { captured.use() })
        }
        #expect(token == nil)
    }

    @Test("A job that always hands over the next one does not keep the shutdown for ever")
    func endlessJobs() {
        let loop = EventLoop()
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            loop.perform { Self.post(to: loop, captured) }
        }
        #expect(loop.returns { $0.shutDown() })
        #expect(token == nil)
    }

    private static func post(to loop: EventLoop, _ token: Token) {
        loop.perform { post(to: loop, token) }
    }

    @Test("What a closing puts off, and what that puts off in turn, still runs")
    func closingsAndFlushes() {
        let loop = EventLoop()
        let transcript = Transcript<String>()
        loop.perform {
            loop.atShutDown {
                transcript.note("closing")
                loop.atFlush {
                    transcript.note("flush")
                    loop.atFlush { transcript.note("second flush") }
                    loop.atShutDown { transcript.note("second closing") }
                }
            }
        }
        loop.shutDown()
        #expect(transcript.entries == ["closing", "flush", "second closing", "second flush"])
    }

    @Test("A start stops the program and says what to do")
    func start() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let loop = EventLoop()
            loop.shutDown()
            loop.start()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("this loop was shut down; make a new EventLoop"))
    }

    @Test("A run stops the program and says what to do")
    func run() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let loop = EventLoop()
            loop.shutDown()
            loop.run()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("this loop was shut down; make a new EventLoop"))
    }
}
