import NetworkingTestKit
import Testing

@testable import EventLoops

@Suite("Watchers that change watchers", .timeLimit(.minutes(1)))
struct WatcherDispatchTests {
    private let manual = ManualLoop()
    private let transcript = Transcript<String>()

    /// What the watcher that is called first does to the other one.
    enum Change: CaseIterable {
        case cancel
        case letGo
        case rest
        case narrow
        case nothing
    }

    @Test(
        "A ready watcher hears what it still asks for when its turn comes",
        arguments: Change.allCases
    )
    func changedInDispatch(change: Change) throws {
        let pairs = [DescriptorPair.sockets(), DescriptorPair.sockets()]
        for pair in pairs { pair.write() }
        let watchers = [Holder<Watcher>(), Holder<Watcher>()]
        let (loop, transcript) = (manual.loop, transcript)
        try manual.turn {
            for (mine, other) in [(0, 1), (1, 0)] {
                watchers[mine].value = try loop.watch(pairs[mine].reader, for: [.read, .write]) {
                    transcript.note("\($0)")
                    guard transcript.entries.count == 1 else { return }
                    do {
                        switch change {
                        case .cancel: watchers[other].value?.cancel()
                        case .letGo: watchers[other].value = nil
                        case .rest: try watchers[other].value?.setInterest([])
                        case .narrow: try watchers[other].value?.setInterest(.read)
                        case .nothing: break
                        }
                    } catch {
                        transcript.note("\(error)")
                    }
                }
            }
        }
        switch change {
        case .cancel, .letGo, .rest: #expect(transcript.entries == ["read+write"])
        case .narrow: #expect(transcript.entries == ["read+write", "read"])
        case .nothing: #expect(transcript.entries == ["read+write", "read+write"])
        }
        for watcher in watchers { watcher.value = nil }
        manual.turn()
    }

    @Test("A watcher can be cancelled and let go of in its own action")
    func cancelInside() throws {
        let pair = DescriptorPair()
        pair.write()
        let (loop, transcript) = (manual.loop, transcript)
        weak var released: Token?
        try manual.turn {
            let holder = Holder<Watcher>()
            let token = Token()
            released = token
            holder.value = try loop.watch(pair.reader, for: .read) { _ in
                holder.value?.cancel()
                holder.value = nil
                token.use()
                transcript.note("heard")
            }
        }
        manual.turn()
        #expect(transcript.entries == ["heard"])
        #expect(released == nil)
    }

    @Test("What goes with a cancelled watcher may change another one")
    func changedByWhatGoes() throws {
        let pair = DescriptorPair.sockets()
        let (loop, transcript) = (manual.loop, transcript)
        let other = try manual.turn {
            let other = try loop.watch(pair.reader, for: [.read, .write]) { _ in }
            let token = Token {
                do {
                    try other.setInterest(.read)
                    transcript.note("narrowed")
                } catch {
                    transcript.note("\(error)")
                }
            }
            let watcher = try loop.watch(pair.writer, for: .read) { _ in token.use() }
            try watcher.setInterest([])
            watcher.cancel()
            return other
        }
        manual.turn()
        #expect(transcript.entries == ["narrowed"])
        other.cancel()
    }

    @Test("A watcher that is added in a dispatch hears from the next turn on")
    func addedInDispatch() throws {
        let pair = DescriptorPair()
        pair.write()
        let (loop, transcript) = (manual.loop, transcript)
        let holders = [Holder<Watcher>(), Holder<Watcher>()]
        try manual.turn {
            holders[0].value = try loop.watch(pair.reader, for: .read) { _ in
                transcript.note("old")
                guard holders[1].value == nil else { return }
                holders[1].value = try? loop.watch(pair.reader, for: .read) { _ in
                    transcript.note("new")
                }
            }
        }
        #expect(transcript.entries == ["old"])
        manual.turn()
        #expect(transcript.entries.sorted() == ["new", "old", "old"])
        for holder in holders { holder.value = nil }
        manual.turn()
    }
}
