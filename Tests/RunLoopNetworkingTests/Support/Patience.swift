/// For what another thread does a moment later, and nothing tells of.
enum Patience {
    /// Lets other threads run until `condition` holds; false when it does not for far too long.
    static func until(_ condition: () throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try condition() { return true }
            await Task.yield()
        }
        return false
    }
}
