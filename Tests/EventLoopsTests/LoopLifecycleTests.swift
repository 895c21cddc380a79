import Testing

@testable import EventLoops

@Suite("The life cycle of a loop", .timeLimit(.minutes(1)))
struct LoopLifecycleTests {
    typealias State = LoopLifecycle.State

    enum Event: CaseIterable {
        case start
        case run
        case visit
        case stop
        case shutDown
        case turnBegins
        case deadlinePassed
        case turnsEnded
        case closeEnded
    }

    /// What an event leads to; nil where it stops the program.
    struct Row {
        let state: State
        let event: Event
        let outcome: (answer: String, next: State)?

        init(_ state: State, _ event: Event, _ answer: String, _ next: State) {
            self.state = state
            self.event = event
            outcome = (answer, next)
        }

        init(_ state: State, stops event: Event) {
            self.state = state
            self.event = event
            outcome = nil
        }
    }

    @Test("Every event in every state has the answer and the next state of the table")
    func table() throws {
        for row in Self.rows {
            guard let outcome = row.outcome else { continue }
            var lifecycle = try Self.lifecycle(in: row.state)
            let answer = Self.apply(row.event, to: &lifecycle)
            #expect(answer == outcome.answer, "\(row.event) in \(row.state)")
            #expect(lifecycle.state == outcome.next, "\(row.event) in \(row.state)")
        }
    }

    @Test("The table leaves no state and no event out")
    func tableIsComplete() {
        let states = Set(Self.rows.map(\.state))
        #expect(states == Set(Self.ways.keys))
        #expect(Self.rows.count == states.count * Event.allCases.count)
    }

    @Test(
        "An event that can't happen stops the program",
        arguments: rows.indices.filter { rows[$0].outcome == nil }
    )
    func impossible(index: Int) async {
        await #expect(processExitsWith: .failure) { [index] in
            let row = Self.rows[index]
            var lifecycle = try Self.lifecycle(in: row.state)
            _ = Self.apply(row.event, to: &lifecycle)
        }
    }

    @Test("Only a start or a run begins a loop")
    func hasBegun() {
        var lifecycle = LoopLifecycle()
        _ = lifecycle.stop()
        #expect(!lifecycle.hasBegun)
        var started = lifecycle
        _ = started.start()
        #expect(started.hasBegun)
        var run = lifecycle
        _ = run.run()
        #expect(run.hasBegun)
        _ = lifecycle.shutDown()
        #expect(!lifecycle.hasBegun)
    }

    @Test("A loop goes on while it turns, and when a start followed the stop")
    func goesOn() throws {
        let states = try Self.ways.keys.filter { try Self.lifecycle(in: $0).goesOn }
        let expected: Set<State> = [
            .turning(.ownThread), .turning(.caller), .stopping(.ownThread, startAgain: true),
        ]
        #expect(Set(states) == expected)
    }

    @Test("A loop turns until its last turn has ended")
    func isTurning() throws {
        let states = try Self.ways.keys.filter { try !Self.lifecycle(in: $0).isTurning }
        #expect(Set(states) == [.idle, .closed])
        #expect(try Self.lifecycle(in: .closed).isClosed)
    }
}
