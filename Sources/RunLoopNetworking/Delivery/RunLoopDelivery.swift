private import EventLoops
internal import Foundation

/// Delivery on Foundation's run loops, in the modes that the connection is scheduled in.
///
/// A message is delivered once, by whichever of the run loops first runs in a scheduled mode.
final class RunLoopDelivery: DeliveryContext {
    private struct State {
        var places: [RunLoopPlace] = []
        var isAttached = false
        /// Whether the connection is over: places are not taken any more.
        var isOver = false
        var drain: (@Sendable () -> Void)?
    }

    /// Guarded.
    private let state = Guarded(State())

    /// Whether the connection is scheduled anywhere.
    var isScheduled: Bool { state.withLock { !$0.places.isEmpty } }

    /// Schedules in one more mode of a run loop; twice is once.
    func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        state.withLock { state in
            guard !state.isOver, !state.places.contains(where: { $0.is(runLoop, mode) }) else {
                return
            }
            let place = RunLoopPlace(runLoop, mode) { [weak self] in self?.run() }
            state.places.append(place)
            guard state.isAttached else { return }
            place.attach()
            if state.drain != nil { place.signal() }
        }
    }

    /// Takes one mode of one run loop back.
    func unschedule(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        let removed = state.withLock { state in
            let removed = state.places.filter { $0.is(runLoop, mode) }
            state.places.removeAll { $0.is(runLoop, mode) }
            return removed
        }
        for place in removed { place.detach() }
    }

    /// Becomes an input source of each scheduled run loop: `RunLoop.run()` waits for it.
    func attach() {
        state.withLock { state in
            guard !state.isOver, !state.isAttached else { return }
            state.isAttached = true
            for place in state.places { place.attach() }
        }
    }

    /// Is an input source no more, for good: a `RunLoop.run()` that has nothing else returns.
    ///
    /// A start that another thread is in the middle of attaches nothing afterwards.
    func detach() {
        let places = state.withLock { state in
            state.isOver = true
            state.isAttached = false
            state.drain = nil
            defer { state.places = [] }
            return state.places
        }
        for place in places { place.detach() }
    }

    func enqueue(_ drain: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.drain = drain
            for place in state.places { place.signal() }
        }
    }

    private func run() {
        let drain = state.withLock { state in
            defer { state.drain = nil }
            return state.drain
        }
        drain?()
    }
}

extension RunLoopDelivery {
    /// Schedules on the calling thread's run loop in the default mode.
    func scheduleOnCurrent() {
        schedule(in: .current, forMode: .default)
    }
}
