import NetworkingTestKit
import Synchronization
import Testing

@testable import EventLoops

@Suite("Timers", .timeLimit(.minutes(1)))
struct LoopTimerTests {
    private let manual = ManualLoop()
    private let transcript = Transcript<String>()

    @Test("Timers fire in the order of their deadlines, each once")
    func order() throws {
        let timers = manual.turn {
            [3, 1, 2, 1].enumerated().map { index, seconds in
                manual.loop.timer(after: .seconds(seconds)) { transcript.note("\(index)") }
            }
        }
        manual.turn()
        #expect(transcript.entries == [])
        manual.turn(after: .seconds(1))
        #expect(transcript.entries == ["1", "3"])
        manual.turn(after: .seconds(9))
        manual.turn(after: .seconds(9))
        #expect(transcript.entries == ["1", "3", "2", "0"])
        withExtendedLifetime(timers) {}
    }

    @Test("A timer without a delay fires in the next dispatch", arguments: [0, -5])
    func noDelay(seconds: Int) throws {
        let timer = manual.turn {
            manual.loop.timer(after: .seconds(seconds)) { transcript.note("fired") }
        }
        #expect(transcript.entries == ["fired"])
        timer.cancel()
    }

    @Test("A repeating timer fires again and again until it is cancelled")
    func repeating() throws {
        let timer = manual.turn {
            manual.loop.timer(every: .seconds(2)) { transcript.note("fired") }
        }
        for _ in 0..<6 { manual.turn(after: .seconds(1)) }
        #expect(transcript.entries == ["fired", "fired", "fired"])
        manual.turn { timer.cancel() }
        manual.turn(after: .seconds(9))
        #expect(transcript.entries.count == 3)
    }

    @Test("Firings that a long turn has missed are not made up for")
    func missedFirings() throws {
        let timer = manual.turn {
            manual.loop.timer(every: .seconds(2)) { transcript.note("fired") }
        }
        manual.turn(after: .seconds(9))
        manual.turn()
        #expect(transcript.entries == ["fired"])
        manual.turn(after: .seconds(2))
        #expect(transcript.entries == ["fired", "fired"])
        timer.cancel()
    }

    @Test("A cancelled timer does not fire, however often it is cancelled")
    func cancel() throws {
        let timer = manual.turn {
            manual.loop.timer(after: .seconds(1)) { transcript.note("fired") }
        }
        manual.turn {
            timer.cancel()
            timer.cancel()
        }
        manual.turn(after: .seconds(1))
        #expect(transcript.entries == [])
    }

    @Test("A due timer that an earlier one of the same dispatch cancels does not fire")
    func cancelDue() throws {
        let (loop, transcript) = (manual.loop, transcript)
        let kept = Transcript<LoopTimer>()
        manual.turn {
            let second = loop.timer(after: .seconds(2)) { transcript.note("second") }
            let first = loop.timer(after: .seconds(1)) {
                transcript.note("first")
                second.cancel()
            }
            kept.note(first)
        }
        manual.turn(after: .seconds(9))
        #expect(transcript.entries == ["first"])
    }

    @Test("A timer can be cancelled and let go of in its own action")
    func cancelInside() throws {
        let (loop, transcript) = (manual.loop, transcript)
        weak var released: Token?
        manual.turn {
            let holder = Holder<LoopTimer>()
            let token = Token()
            released = token
            holder.value = loop.timer(every: .seconds(1)) {
                holder.value?.cancel()
                holder.value = nil
                token.use()
                transcript.note("fired")
            }
        }
        manual.turn(after: .seconds(1))
        manual.turn(after: .seconds(1))
        #expect(transcript.entries == ["fired"])
        #expect(released == nil)
    }

    @Test("Letting go of a timer cancels it, and lets go of its action")
    func letGo() throws {
        weak var released: Token?
        manual.turn {
            let token = Token()
            released = token
            let transcript = transcript
            _ = manual.loop.timer(after: .zero) {
                token.use()
                transcript.note("fired")
            }
        }
        #expect(transcript.entries == [])
        #expect(released == nil)
    }

    @Test("Letting go of a timer on another thread cancels it")
    func letGoElsewhere() throws {
        let transcript = transcript
        let timer = Transcript<LoopTimer>()
        manual.turn {
            timer.note(manual.loop.timer(after: .seconds(1)) { transcript.note("fired") })
        }
        LoopThread(name: "other") { timer.clear() }.join()
        manual.turn(after: .seconds(1))
        #expect(transcript.entries == [])
    }

    @Test("Letting go of a timer whose action owns another one cancels both")
    func letGoOfOwner() throws {
        let (loop, transcript) = (manual.loop, transcript)
        func makeOwner() -> LoopTimer {
            let inner = loop.timer(after: .zero) { transcript.note("inner") }
            return loop.timer(after: .zero) { withExtendedLifetime(inner) {} }
        }
        manual.turn { makeOwner().cancel() }
        manual.turn()
        #expect(transcript.entries == [])
    }

    @Test("A timer that sets itself again without a delay lets descriptors have their turn")
    func rearming() throws {
        let (loop, transcript) = (manual.loop, transcript)
        let pair = DescriptorPair()
        pair.write()
        let holder = Holder<LoopTimer>()
        let watcher = try manual.turn {
            holder.repeatedly { holder in
                transcript.note("timer")
                holder.value = loop.timer(after: .zero) { holder.again() }
            }
            return try loop.watch(pair.reader, for: .read) { _ in transcript.note("watcher") }
        }
        manual.turn()
        manual.turn()
        #expect(
            transcript.entries
                == ["timer", "watcher", "timer", "watcher", "timer", "watcher", "timer"]
        )
        watcher.cancel()
        holder.value = nil
        holder.end()
    }

    @Test("A turn happens at one moment, which moves when its wait ends")
    func now() throws {
        let manual = manual
        let before = manual.now
        manual.turn {
            manual.advance(by: .seconds(1))
            #expect(manual.loop.now == before)
        }
        manual.turn { #expect(manual.loop.now == before + .seconds(1)) }
    }
}
