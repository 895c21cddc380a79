/// How long turns of a loop took, from the end of the wait to the next wait.
struct TurnHistogram {
    /// Upper bounds of the classes, in milliseconds; the last class has none.
    static let bounds: [Double] = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 50, 100]

    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var longest = 0.0
    private var sum = 0.0

    mutating func add(milliseconds: Double) {
        counts[Self.bounds.firstIndex { milliseconds < $0 } ?? Self.bounds.count] += 1
        longest = max(longest, milliseconds)
        sum += milliseconds
    }

    mutating func add(_ other: TurnHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        longest = max(longest, other.longest)
        sum += other.sum
    }

    var json: String {
        "{\"bounds\":\(Self.bounds),\"counts\":\(counts),\"longest\":\(longest),\"sum\":\(sum)}"
    }
}
