/// How far one transfer has come, as it is shown on a line.
public struct TransferFigures: Sendable, Equatable {
    /// What the line begins with.
    public var name: String

    /// Names a transfer.
    public init(name: String) {
        self.name = name
    }
}
