/// Something that a closure captures, to see when the closure is let go of.
final class Token: Sendable {
    private let onRelease: (@Sendable () -> Void)?

    init(onRelease: (@Sendable () -> Void)? = nil) {
        self.onRelease = onRelease
    }

    deinit {
        onRelease?()
    }

    func use() {}
}
