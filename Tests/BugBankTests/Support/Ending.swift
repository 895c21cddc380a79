import NetworkingTestKit
import Testing

/// How a server ends a connection.
enum Ending: CaseIterable, CustomTestStringConvertible {
    case orderly
    case reset

    var testDescription: String {
        switch self {
        case .orderly: "FIN"
        case .reset: "RST"
        }
    }

    var step: ScriptStep {
        switch self {
        case .orderly: .finish
        case .reset: .reset
        }
    }

    /// The end, once the client has heard what was sent: a reset may overtake bytes.
    func after(_ heard: Gate) -> [ScriptStep] {
        [.waitFor(heard), step]
    }
}

extension RecordingDelegate {
    /// A delegate that opens a gate when it has heard so many bytes.
    static func opening(_ gate: Gate, after count: Int) -> RecordingDelegate {
        let received = Watermark(count)
        return RecordingDelegate { message, _ in
            if case .data(let count) = message, received.isReached(adding: count) { gate.open() }
        }
    }
}
