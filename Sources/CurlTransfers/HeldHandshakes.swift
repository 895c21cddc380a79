internal import EventLoops

/// The transfers whose handshake waits for an answer.
///
/// Loop affinity.
struct HeldHandshakes {
    /// How long others to the same server wait for them.
    static let moment = Duration.milliseconds(100)

    private var timers: [ObjectIdentifier: LoopTimer] = [:]
    private var long: Set<ObjectIdentifier> = []

    /// Whether one has waited for longer than a moment.
    var areLong: Bool { !long.isEmpty }

    mutating func insert(_ identifier: ObjectIdentifier, _ timer: LoopTimer) {
        timers[identifier] = timer
    }

    mutating func isLong(_ identifier: ObjectIdentifier) {
        timers[identifier] = nil
        long.insert(identifier)
    }

    mutating func remove(_ identifier: ObjectIdentifier) {
        timers[identifier] = nil
        long.remove(identifier)
    }
}
