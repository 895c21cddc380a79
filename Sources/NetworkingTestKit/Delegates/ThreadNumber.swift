private import Foundation
private import Synchronization

/// Which thread something happened on: each thread has its own number, which is never used again.
///
/// It keeps no thread alive, as a `Thread` would.
public struct ThreadNumber: Hashable, Sendable {
    private let rawValue: Int

    private static let last = Atomic(0)
    private static let key = "NetworkingTestKit.ThreadNumber"

    /// The calling thread.
    public static var current: ThreadNumber {
        let dictionary = Thread.current.threadDictionary
        if let known = dictionary[key] as? Int { return ThreadNumber(rawValue: known) }
        let number = last.add(1, ordering: .relaxed).newValue
        dictionary[key] = number
        return ThreadNumber(rawValue: number)
    }
}
