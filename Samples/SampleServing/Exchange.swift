internal import EventLoops

/// A request and the answer to it, from the first byte to the last.
///
/// Loop affinity.
final class Exchange {
    /// How many bytes wait for the kernel at the most.
    private static let mostQueued = 2 << 20

    /// How often to look whether what was sent has arrived.
    private static let patience = Duration.milliseconds(2)

    private let served: ServedRequest
    private let method: Request.Method
    private unowned let loop: EventLoop

    private var cursor = BodyCursor(.empty)
    private var ending = Answer.Ending.complete
    private var pacing: Pacing?
    private var timer: LoopTimer?

    init(_ served: ServedRequest, method: Request.Method, loop: EventLoop) {
        self.served = served
        self.method = method
        self.loop = loop
    }

    /// Gives the answer, now or when its delay has passed.
    func begin(_ answer: Answer) {
        guard answer.delay > .zero else { return start(answer) }
        timer = loop.timer(after: answer.delay) { [weak self] in
            self?.timer = nil
            self?.start(answer)
        }
    }

    private func start(_ answer: Answer) {
        let sendsBody = answer.sendsBody(to: method)
        cursor = BodyCursor(sendsBody ? answer.body : .empty, limit: answer.limit)
        ending = sendsBody ? answer.ending : .complete
        served.start(status: answer.status, headers: answer.head(for: method))
        if let rate = answer.bytesPerSecond, cursor.left > 0 {
            pace(at: rate)
        } else {
            served.drained = { [weak self] in self?.fill(atMost: .max) }
            fill(atMost: .max)
        }
    }
}

// MARK: - The body

extension Exchange {
    /// Sends as much as may be sent now; ends the answer when nothing is left.
    private func fill(atMost limit: Int64) {
        var room = Int(min(limit, Int64(Self.mostQueued - served.queuedCount)))
        var pieces: [Pattern.Piece] = []
        while room > 0, let piece = cursor.next(atMost: room) {
            pieces.append(piece)
            room -= piece.count
        }
        if !pieces.isEmpty {
            pacing?.send(pieces.reduce(0) { $0 + Int64($1.count) })
            served.send(pieces)
        }
        if cursor.left == 0 { finish() }
    }

    private func pace(at rate: Int64) {
        let pacing = Pacing(bytesPerSecond: rate, start: loop.now)
        self.pacing = pacing
        timer = loop.timer(every: pacing.interval) { [weak self] in
            guard let self, let due = self.pacing?.due(at: loop.now), due > 0 else { return }
            fill(atMost: due)
        }
    }
}

// MARK: - The end

extension Exchange {
    private func finish() {
        served.drained = {}
        pacing = nil
        timer = nil
        guard ending != .complete else { return served.end() }
        timer = loop.timer(every: Self.patience) { [weak self] in self?.breakOffOnceSent() }
    }

    private func breakOffOnceSent() {
        switch ending {
        case .complete:
            preconditionFailure("a complete answer is not broken off")
        case .hangUp:
            if served.queuedCount == 0 { served.hangUp() }
        case .reset:
            if served.unacknowledgedCount == 0 { served.reset() }
        }
    }
}
