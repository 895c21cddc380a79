/// One line with per cent, redrawn in place; silent when nobody watches.
public final class ProgressLine: Sendable {
    /// Guarded by the mutex.
    private let shown = Locked(-1)

    /// Makes a line that shows nothing yet.
    public init() {}

    /// Shows a fraction from 0 to 1, when the per cent have changed.
    public func show(_ fraction: Double) {
        guard Terminal.isWatched, fraction.isFinite else { return }
        let percent = Int((fraction * 100).rounded(.down))
        let isNew = shown.withLock { shown in
            defer { shown = percent }
            return shown != percent
        }
        guard isNew else { return }
        let filled = max(0, min(40, percent * 40 / 100))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 40 - filled)
        Terminal.write("\r\(bar) \(percent) %")
        if percent >= 100 { Terminal.write("\n") }
    }
}
