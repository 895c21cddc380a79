/// Keeps something until it is let go of, and an action that may be done again.
final class Holder<Value> {
    var value: Value?
    private var action: ((Holder) -> Void)?

    /// Does `action` now, and with each ``again()``.
    func repeatedly(_ action: @escaping (Holder) -> Void) {
        self.action = action
        action(self)
    }

    func again() {
        action?(self)
    }

    func end() {
        action = nil
    }
}
