import EventLoops

/// Measures the turns of a loop, as one of its observers.
final class TurnTimes: @unchecked Sendable {
    // The loop alone changes it; who reads it has shut the loop down.
    private(set) var histogram = TurnHistogram()
    private var begin: ContinuousClock.Instant?
    private var observation: LoopObservation?

    init(of loop: EventLoop) {
        loop.perform { [self] in
            observation = loop.observe { [unowned self] in hear($0) }
        }
    }

    private func hear(_ phase: LoopPhase) {
        switch phase {
        case .dispatch:
            begin = .now
        case .wait:
            guard let begin else { return }
            histogram.add(milliseconds: (ContinuousClock.now - begin) / .milliseconds(1))
            self.begin = nil
        case .entry, .jobs, .flush, .exit:
            break
        }
    }
}
