import NetworkingTestKit
import Testing

@testable import EventLoops

@Suite("Descriptor numbers that are used again", .timeLimit(.minutes(1)))
struct DescriptorReuseTests {
    /// In which order one callback ends the old descriptor and takes up the new one.
    enum Order: CaseIterable {
        case cancelThenClose
        case letGoThenClose
        case closeThenCancel
        case restThenCancelThenClose
    }

    private let manual = ManualLoop()
    private let transcript = Transcript<String>()
    private let old = DescriptorPair()
    private let new = DescriptorPair()

    private func watch(_ name: String) throws -> Watcher {
        try manual.loop.watch(old.reader, for: .read) { _ in transcript.note(name) }
    }

    private func exchange(_ watcher: inout Watcher?, _ order: Order) throws {
        switch order {
        case .cancelThenClose:
            watcher?.cancel()
            Descriptors.reopen(old.reader, as: new.reader)
        case .letGoThenClose:
            watcher = nil
            Descriptors.reopen(old.reader, as: new.reader)
        case .closeThenCancel:
            Descriptors.reopen(old.reader, as: new.reader)
            watcher?.cancel()
        case .restThenCancelThenClose:
            try watcher?.setInterest([])
            watcher?.cancel()
            Descriptors.reopen(old.reader, as: new.reader)
        }
    }

    /// The new descriptor is heard exactly when it is ready.
    private func expectNewIsHeard() throws {
        manual.turn()
        #expect(transcript.entries == [])
        new.write()
        manual.turn()
        #expect(transcript.entries == ["new"])
        new.read()
        manual.turn()
        #expect(transcript.entries == ["new"])
    }

    @Test("Taken up in the same turn, the new descriptor is heard", arguments: Order.allCases)
    func sameTurn(order: Order) throws {
        var watcher: Watcher? = try manual.turn { try watch("old") }
        old.write()
        let next = try manual.turn {
            try exchange(&watcher, order)
            return try watch("new")
        }
        try expectNewIsHeard()
        manual.turn { next.cancel() }
    }

    @Test("Taken up in a later turn, the new descriptor is heard", arguments: Order.allCases)
    func laterTurn(order: Order) throws {
        var watcher: Watcher? = try manual.turn { try watch("old") }
        old.write()
        try manual.turn { try exchange(&watcher, order) }
        manual.turn()
        let next = try manual.turn { try watch("new") }
        try expectNewIsHeard()
        manual.turn { next.cancel() }
    }

    @Test("Exchanged in the old watcher's own action, the new descriptor is heard")
    func inItsOwnAction() throws {
        let (loop, old, new, transcript) = (manual.loop, old, new, transcript)
        let holder = Holder<Watcher>()
        try manual.turn {
            holder.value = try loop.watch(old.reader, for: .read) { _ in
                holder.value?.cancel()
                Descriptors.reopen(old.reader, as: new.reader)
                holder.value = try? loop.watch(old.reader, for: .read) { _ in
                    transcript.note("new")
                }
            }
        }
        old.write()
        manual.turn()
        try expectNewIsHeard()
        manual.turn { holder.value = nil }
    }

    @Test("A turn's readiness of the old descriptor does not reach the new one's watcher")
    func staleReadiness() throws {
        let (loop, old, new, transcript) = (manual.loop, old, new, transcript)
        let other = DescriptorPair()
        let holder = Holder<Watcher>()
        let exchange = {
            guard holder.value != nil else { return }
            holder.value?.cancel()
            Descriptors.reopen(old.reader, as: new.reader)
            holder.value = try? loop.watch(old.reader, for: .read) { _ in transcript.note("new") }
        }
        let first = try manual.turn {
            let first = try loop.watch(other.reader, for: .read) { _ in
                if other.read() > 0 { exchange() }
            }
            holder.value = try loop.watch(old.reader, for: .read) { _ in old.read() }
            return first
        }
        other.write()
        old.write()
        manual.turn()
        try expectNewIsHeard()
        manual.turn { holder.value = nil }
        first.cancel()
    }

    @Test(
        "A copy that outlives the closed descriptor, as in a child process, is not heard",
        arguments: [Order.cancelThenClose, .letGoThenClose, .restThenCancelThenClose]
    )
    func copyOutlives(order: Order) throws {
        let copy = Descriptors.copy(old.reader)
        var watcher: Watcher? = try manual.turn { try watch("old") }
        old.write()
        let next = try manual.turn {
            try exchange(&watcher, order)
            return try watch("new")
        }
        try expectNewIsHeard()
        manual.turn { next.cancel() }
        Descriptors.close(copy)
    }
}
