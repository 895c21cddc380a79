import EventLoops

@testable import CurlTransfers

/// A source of a body that has what a test puts into it.
final class ScriptedSource: BodySource {
    /// Guarded.
    private let state = Guarded(State())

    private struct State {
        var answers: [Answer] = []
        var asked = 0
    }

    /// What a source says when it is asked once.
    enum Answer: Sendable {
        case bytes([UInt8])
        case later
        case end
        case failed
    }

    init(_ answers: Answer...) {
        put(answers)
    }

    /// How often it was asked.
    var asked: Int { state.withLock { $0.asked } }

    func put(_ answers: [Answer]) {
        state.withLock { $0.answers += answers }
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> BodyRead {
        let answer = state.withLock { state in
            state.asked += 1
            return state.answers.isEmpty ? Answer.later : state.answers.removeFirst()
        }
        switch answer {
        case .bytes(let bytes):
            unsafe room.copyBytes(from: bytes)
            return .bytes(bytes.count)
        case .later: return .later
        case .end: return .end
        case .failed: return .failed
        }
    }
}
