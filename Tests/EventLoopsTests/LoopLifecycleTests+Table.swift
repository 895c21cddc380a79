import Testing

@testable import EventLoops

// MARK: - The table

extension LoopLifecycleTests {
    /// The events that lead to each state.
    static let ways: [State: [Event]] = [
        .idle: [],
        .turning(.ownThread): [.start],
        .turning(.caller): [.run],
        .stopping(.ownThread, startAgain: false): [.start, .stop],
        .stopping(.ownThread, startAgain: true): [.start, .stop, .start],
        .stopping(.caller, startAgain: false): [.run, .stop],
        .stopping(.caller, startAgain: true): [.run, .stop, .start],
        .closing: [.shutDown],
        .closed: [.shutDown, .closeEnded],
    ]

    static let rows: [Row] =
        idleRows + turningRows(.ownThread) + turningRows(.caller) + stoppingRows(.ownThread)
        + stoppingRows(.caller) + startAgainRows(.ownThread) + startAgainRows(.caller)
        + closingRows + closedRows

    private static let idleRows = [
        Row(.idle, .start, "makeThread", .turning(.ownThread)),
        Row(.idle, .run, "turn", .turning(.caller)),
        Row(.idle, .visit, "true", .stopping(.caller, startAgain: false)),
        Row(.idle, .stop, "nothing", .idle),
        Row(.idle, .shutDown, "closeHere", .closing),
        Row(.idle, stops: .turnBegins),
        Row(.idle, .deadlinePassed, "()", .idle),
        Row(.idle, stops: .turnsEnded),
        Row(.idle, stops: .closeEnded),
    ]

    private static func turningRows(_ runner: LoopLifecycle.Runner) -> [Row] {
        let state = State.turning(runner)
        let stopped = State.stopping(runner, startAgain: false)
        return [
            Row(state, .start, "alreadyTurning", state),
            Row(state, .run, "refuseTurning", state),
            Row(state, .visit, "false", state),
            Row(state, .stop, "wake", stopped),
            Row(state, .shutDown, "wakeAndWait", .closing),
            Row(state, .turnBegins, "true", state),
            Row(state, .deadlinePassed, "()", runner == .caller ? stopped : state),
            Row(state, stops: .turnsEnded),
            Row(state, stops: .closeEnded),
        ]
    }

    private static func stoppingRows(_ runner: LoopLifecycle.Runner) -> [Row] {
        let state = State.stopping(runner, startAgain: false)
        return [
            Row(state, .start, "follows", .stopping(runner, startAgain: true)),
            Row(state, .run, "waitForStop", state),
            Row(state, .visit, "false", state),
            Row(state, .stop, "nothing", state),
            Row(state, .shutDown, "wakeAndWait", .closing),
            Row(state, .turnBegins, "false", state),
            Row(state, .deadlinePassed, "()", state),
            Row(state, .turnsEnded, "nothing", .idle),
            Row(state, stops: .closeEnded),
        ]
    }

    private static func startAgainRows(_ runner: LoopLifecycle.Runner) -> [Row] {
        let state = State.stopping(runner, startAgain: true)
        let goesOn = runner == .ownThread
        return [
            Row(state, .start, "follows", state),
            Row(state, .run, "refuseTurning", state),
            Row(state, .visit, "false", state),
            Row(state, .stop, "wake", .stopping(runner, startAgain: false)),
            Row(state, .shutDown, "wakeAndWait", .closing),
            Row(state, .turnBegins, goesOn ? "true" : "false", goesOn ? .turning(runner) : state),
            Row(state, .deadlinePassed, "()", state),
            Row(state, .turnsEnded, "makeThread", .turning(.ownThread)),
            Row(state, stops: .closeEnded),
        ]
    }

    private static let closingRows = [
        Row(.closing, .start, "refuse", .closing),
        Row(.closing, .run, "refuseClosed", .closing),
        Row(.closing, .visit, "false", .closing),
        Row(.closing, .stop, "nothing", .closing),
        Row(.closing, .shutDown, "wait", .closing),
        Row(.closing, .turnBegins, "false", .closing),
        Row(.closing, .deadlinePassed, "()", .closing),
        Row(.closing, .turnsEnded, "close", .closing),
        Row(.closing, .closeEnded, "()", .closed),
    ]

    private static let closedRows = [
        Row(.closed, .start, "refuse", .closed),
        Row(.closed, .run, "refuseClosed", .closed),
        Row(.closed, .visit, "false", .closed),
        Row(.closed, .stop, "nothing", .closed),
        Row(.closed, .shutDown, "nothing", .closed),
        Row(.closed, stops: .turnBegins),
        Row(.closed, .deadlinePassed, "()", .closed),
        Row(.closed, stops: .turnsEnded),
        Row(.closed, stops: .closeEnded),
    ]
}

// MARK: - Driving it

extension LoopLifecycleTests {
    static func lifecycle(in state: State) throws -> LoopLifecycle {
        var lifecycle = LoopLifecycle()
        for event in try #require(ways[state]) { _ = apply(event, to: &lifecycle) }
        try #require(lifecycle.state == state)
        return lifecycle
    }

    /// Tells the life cycle of an event; returns its answer in words.
    static func apply(_ event: Event, to lifecycle: inout LoopLifecycle) -> String {
        switch event {
        case .start: "\(lifecycle.start())"
        case .run: "\(lifecycle.run())"
        case .visit: "\(lifecycle.visit())"
        case .stop: "\(lifecycle.stop())"
        case .shutDown: "\(lifecycle.shutDown())"
        case .turnBegins: "\(lifecycle.turnBegins())"
        case .deadlinePassed: "\(lifecycle.deadlinePassed())"
        case .turnsEnded: "\(lifecycle.turnsEnded())"
        case .closeEnded: "\(lifecycle.closeEnded())"
        }
    }
}
