import NetworkingTestKit
import Testing

@testable import EventLoops

@Suite("Watchers", .timeLimit(.minutes(1)))
struct WatcherTests {
    private let manual = ManualLoop()
    private let transcript = Transcript<String>()

    private func watch(
        _ descriptor: Int32,
        for interest: Readiness,
        as name: String = ""
    ) throws -> Watcher {
        try manual.turn {
            try manual.loop.watch(descriptor, for: interest) { transcript.note("\(name)\($0)") }
        }
    }

    @Test("A pipe is readable when there is something to read, and as long as there is")
    func pipe() throws {
        let pair = DescriptorPair()
        let watcher = try watch(pair.reader, for: .read)
        manual.turn()
        #expect(transcript.entries == [])
        pair.write(count: 2)
        manual.turn()
        manual.turn()
        #expect(transcript.entries == ["read", "read"])
        pair.read(upTo: 1)
        manual.turn()
        #expect(transcript.entries.count == 3)
        pair.read()
        manual.turn()
        #expect(transcript.entries.count == 3)
        #expect(watcher.descriptor == pair.reader)
    }

    @Test("A pipe is writable until it is full, and when it was read again")
    func fullPipe() throws {
        let pair = DescriptorPair()
        let watcher = try watch(pair.writer, for: .write)
        #expect(transcript.entries == ["write"])
        pair.fill()
        manual.turn()
        #expect(transcript.entries == ["write"])
        while pair.read() > 0 {}
        manual.turn()
        #expect(transcript.entries == ["write", "write"])
        watcher.cancel()
    }

    @Test("A socket that can be read and written is told of both at once")
    func socket() throws {
        let pair = DescriptorPair.sockets()
        let watcher = try watch(pair.reader, for: [.read, .write])
        pair.write()
        manual.turn()
        pair.read()
        manual.turn()
        #expect(transcript.entries == ["write", "read+write", "write"])
        watcher.cancel()
    }

    @Test("The end of the other side counts as readiness")
    func hangUp() throws {
        let reader = Descriptors.copy(-1)
        #expect(reader == -1)
        var pair: DescriptorPair? = DescriptorPair()
        let copy = Descriptors.copy(try #require(pair).reader)
        let watcher = try watch(copy, for: .read)
        manual.turn()
        #expect(transcript.entries == [])
        pair = nil
        manual.turn()
        #expect(transcript.entries == ["read"])
        manual.turn { watcher.cancel() }
        Descriptors.close(copy)
    }

    @Test("Two watchers of one descriptor are both told")
    func twoWatchers() throws {
        let pair = DescriptorPair.sockets()
        let reading = try watch(pair.reader, for: .read, as: "first ")
        let writing = try watch(pair.reader, for: .write, as: "second ")
        transcript.clear()
        pair.write()
        manual.turn()
        #expect(Set(transcript.entries) == ["first read", "second write"])
        transcript.clear()
        manual.turn { writing.cancel() }
        #expect(transcript.entries == ["first read"])
        reading.cancel()
    }

    @Test("A new interest is what counts from the next wait on")
    func setInterest() throws {
        let pair = DescriptorPair.sockets()
        pair.write()
        let watcher = try watch(pair.reader, for: .read)
        let steps: [Readiness] = [.write, [.read, .write], [], .read, [], .write]
        for interest in steps { try manual.turn { try watcher.setInterest(interest) } }
        #expect(transcript.entries == ["read", "write", "read+write", "read", "write"])
    }

    @Test("A watcher that rests, or asks for less, does not end the wait")
    func rest() throws {
        let pair = DescriptorPair.sockets()
        pair.write()
        let watcher = try watch(pair.reader, for: [.read, .write])
        pair.read()
        let phases = Transcript<LoopPhase>()
        let observation = manual.turn { manual.loop.observe { phases.note($0) } }
        for interest in [Readiness.read, []] {
            phases.clear()
            try manual.turn { try watcher.setInterest(interest) }
            #expect(phases.entries.contains(.dispatch(watchers: 0, timers: 0)))
        }
        observation.cancel()
    }

    @Test("An interest that is given back and taken again in one turn is heard")
    func givenBackAndTakenAgain() throws {
        let pair = DescriptorPair()
        let watcher = try watch(pair.reader, for: .read)
        pair.write()
        try manual.turn {
            try watcher.setInterest([])
            try watcher.setInterest(.read)
            try watcher.setInterest([])
            try watcher.setInterest(.read)
        }
        #expect(transcript.entries == ["read"])
    }

    @Test("A cancelled watcher hears nothing, and a new interest does not revive it")
    func cancel() throws {
        let pair = DescriptorPair()
        let watcher = try watch(pair.reader, for: .read)
        pair.write()
        try manual.turn {
            watcher.cancel()
            watcher.cancel()
            try watcher.setInterest([.read, .write])
        }
        manual.turn()
        #expect(transcript.entries == [])
    }

    @Test("Letting go of a watcher ends the watch, on the loop and elsewhere")
    func letGo() throws {
        let pair = DescriptorPair()
        pair.write()
        weak var released: Token?
        let kept = Transcript<Watcher>()
        let transcript = transcript
        try manual.turn {
            let token = Token()
            released = token
            _ = try manual.loop.watch(pair.reader, for: .read) { _ in transcript.note("here") }
            let watcher = try manual.loop.watch(pair.reader, for: .write) { _ in token.use() }
            kept.note(watcher)
        }
        #expect(released != nil)
        LoopThread(name: "other") { kept.clear() }.join()
        manual.turn()
        #expect(transcript.entries == [])
        #expect(released == nil)
    }
}
