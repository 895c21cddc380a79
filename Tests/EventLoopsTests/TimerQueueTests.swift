import Testing

@testable import EventLoops

@Suite("The queue of timers", .timeLimit(.minutes(1)))
struct TimerQueueTests {
    private let start = ContinuousClock.now

    private func time(_ seconds: Int) -> ContinuousClock.Instant {
        start + .seconds(seconds)
    }

    private func popAll(_ queue: inout TimerQueue, at seconds: Int) -> [Int] {
        let mark = queue.mark
        var popped: [Int] = []
        while let next = queue.popDue(at: time(seconds), setBefore: mark) {
            popped.append(next.identifier)
        }
        return popped
    }

    @Test("Timers come out in the order of their deadlines, with the deadline")
    func order() {
        var queue = TimerQueue()
        for (identifier, deadline) in [(1, 5), (2, 3), (3, 9), (4, 1)] {
            queue.set(identifier, deadline: time(deadline))
        }
        #expect(queue.nextDeadline == time(1))
        let first = queue.popDue(at: time(9), setBefore: queue.mark)
        #expect(first?.identifier == 4)
        #expect(first?.deadline == time(1))
        #expect(popAll(&queue, at: 9) == [2, 1, 3])
        #expect(queue.nextDeadline == nil)
        #expect(queue.count == 0)
    }

    @Test("Timers of equal deadline come out in the order in which they were set")
    func equalDeadlines() {
        var queue = TimerQueue()
        let identifiers = Array((0..<100).reversed())
        for identifier in identifiers { queue.set(identifier, deadline: time(1)) }
        #expect(popAll(&queue, at: 1) == identifiers)
    }

    @Test("A timer is due at its deadline and not before")
    func due() {
        var queue = TimerQueue()
        queue.set(1, deadline: time(2))
        queue.set(2, deadline: time(3))
        #expect(queue.countDue(at: time(1)) == 0)
        #expect(popAll(&queue, at: 1) == [])
        #expect(queue.countDue(at: time(2)) == 1)
        #expect(popAll(&queue, at: 2) == [1])
        #expect(queue.countDue(at: time(3)) == 1)
    }

    @Test("A cancelled timer does not come out, and can be cancelled again")
    func cancel() {
        var queue = TimerQueue()
        for identifier in 1...3 { queue.set(identifier, deadline: time(identifier)) }
        queue.cancel(1)
        queue.cancel(1)
        queue.cancel(99)
        #expect(queue.count == 2)
        #expect(queue.countDue(at: time(3)) == 2)
        #expect(queue.nextDeadline == time(2))
        #expect(popAll(&queue, at: 3) == [2, 3])
    }

    @Test("A timer that is set anew comes out once, at its new deadline")
    func setAnew() {
        var queue = TimerQueue()
        queue.set(1, deadline: time(1))
        queue.set(2, deadline: time(2))
        queue.set(1, deadline: time(3))
        #expect(queue.count == 2)
        #expect(queue.nextDeadline == time(2))
        #expect(popAll(&queue, at: 9) == [2, 1])

        queue.set(1, deadline: time(5))
        queue.set(1, deadline: time(4))
        #expect(popAll(&queue, at: 4) == [1])
        #expect(popAll(&queue, at: 9) == [])
    }

    @Test("A timer that is set after the mark stays in")
    func mark() {
        var queue = TimerQueue()
        queue.set(1, deadline: time(1))
        let mark = queue.mark
        queue.set(2, deadline: time(1))
        #expect(queue.popDue(at: time(1), setBefore: mark)?.identifier == 1)
        #expect(queue.popDue(at: time(1), setBefore: mark) == nil)
        #expect(popAll(&queue, at: 1) == [2])
    }

    @Test("The places of cancelled timers do not pile up")
    func compaction() {
        var queue = TimerQueue()
        for identifier in 0..<10 { queue.set(identifier, deadline: time(100 - identifier)) }
        for round in 0..<10_000 { queue.set(1_000, deadline: time(200 + round)) }
        #expect(queue.count == 11)
        #expect(queue.placeCount <= 65)
        #expect(popAll(&queue, at: 20_000) == Array((0..<10).reversed()) + [1_000])
    }

    @Test("Whatever is done to it, it pops what a sorted list would", arguments: [1, 2, 3, 5, 8])
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = TimerQueue()
        var model: [(identifier: Int, deadline: Int)] = []
        var now = 0
        for _ in 0..<3_000 {
            let identifier = Int.random(in: 0..<200, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let deadline = now + Int.random(in: 0..<50, using: &random)
                queue.set(identifier, deadline: time(deadline))
                model.removeAll { $0.identifier == identifier }
                let place = model.firstIndex { $0.deadline > deadline } ?? model.count
                model.insert((identifier, deadline), at: place)
            case 6..<9:
                queue.cancel(identifier)
                model.removeAll { $0.identifier == identifier }
            default:
                now += Int.random(in: 0..<20, using: &random)
                let due = model.prefix { $0.deadline <= now }.map(\.identifier)
                #expect(queue.countDue(at: time(now)) == due.count)
                #expect(popAll(&queue, at: now) == due)
                model.removeFirst(due.count)
            }
            #expect(queue.count == model.count)
            #expect(queue.nextDeadline == model.first.map { time($0.deadline) })
        }
    }
}
