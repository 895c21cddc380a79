import Dispatch

/// A latch for tests: a wait that lasts too long fails, so that a broken loop can't hang the tests.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        semaphore.signal()
    }

    /// Whether the gate is open already.
    var isOpen: Bool {
        guard semaphore.wait(timeout: .now()) == .success else { return false }
        semaphore.signal()
        return true
    }

    /// Waits; false when nobody has opened the gate for far too long.
    func opens() -> Bool {
        guard semaphore.wait(timeout: .now() + 20) == .success else { return false }
        semaphore.signal()
        return true
    }
}
