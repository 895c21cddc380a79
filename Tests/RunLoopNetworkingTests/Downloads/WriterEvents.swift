import EventLoops
import NetworkingTestKit

@testable import RunLoopNetworking

/// What a ``FileWriter`` has told, and how it has ended.
final class WriterEvents: Sendable {
    private struct State {
        var events: [FileWriter.Event] = []
        var outcome: FileWriter.Outcome?
    }

    /// Opens with the first event.
    let hasEvent = Gate()

    private let state = Guarded(State())
    private let hasOutcome = Gate()

    var events: [FileWriter.Event] { state.withLock { $0.events } }

    func hear(_ event: FileWriter.Event) {
        state.withLock { $0.events.append(event) }
        hasEvent.open()
    }

    func end(_ outcome: FileWriter.Outcome) {
        state.withLock { $0.outcome = outcome }
        hasOutcome.open()
    }

    /// The outcome of the call that was given ``end(_:)``, once it is there.
    func outcome() async throws -> FileWriter.Outcome? {
        try await hasOutcome.opened()
        return state.withLock { $0.outcome }
    }
}
