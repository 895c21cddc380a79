import Foundation

/// What is to happen to one of many connections.
struct Plan: Sendable {
    /// When it is cancelled.
    enum Cancel: Sendable, Equatable {
        case never
        case beforeStart
        case afterStart
        /// Inside its n-th message, if it has so many.
        case insideMessage(Int)
        /// Some time later, by whichever thread comes upon it.
        case later
    }

    /// Where its messages come.
    enum Place: CaseIterable, Sendable {
        case loop
        case serialQueue
        case concurrentQueue
        case dispatchQueue
    }

    let path: String
    let cancel: Cancel
    let place: Place

    /// Draws a plan.
    init(using generator: inout SeededGenerator) {
        let finite = [
            "file/10/a", "file/1000/b", "file/300000/c", "chunked/5000", "status/404",
            "redirect/2", "reset/1000/500", "short/1000/10",
        ]
        let cancels: [Cancel] = [
            .never, .beforeStart, .afterStart,
            .insideMessage(Int.random(in: 1...3, using: &generator)),
            .later, .later,
        ]
        cancel = cancels.randomElement(using: &generator) ?? .never
        // What never ends is only for those that are cancelled for certain.
        let endless = cancel == .later ? ["endless", "silent", "slow/50/10"] : []
        path = (finite + endless).randomElement(using: &generator) ?? "file/10/a"
        place = Place.allCases.randomElement(using: &generator) ?? .loop
    }
}
