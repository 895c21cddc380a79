import EventLoops

/// What happened, in order; any thread may note something.
final class Transcript<Entry: Sendable>: Sendable {
    private let noted = Guarded<[Entry]>([])

    var entries: [Entry] { noted.withLock(\.self) }

    func note(_ entry: Entry) {
        noted.withLock { $0.append(entry) }
    }

    func clear() {
        noted.withLock { $0 = [] }
    }
}
