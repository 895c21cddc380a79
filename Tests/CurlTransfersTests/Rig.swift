import EventLoops
import NetworkingTestKit

@testable import CurlTransfers

/// A loop with a multi handle, both of a test's own.
final class Rig: @unchecked Sendable {
    // Constants, and a multi handle with loop affinity: `onLoop` leads there.
    let loop = EventLoop(name: "test")
    private let limits: TransferLimits
    private var multi: MultiHandle?

    init(connectionsPerHost: Int = 6) {
        limits = TransferLimits(connectionsPerHost: connectionsPerHost, connections: 100)
        loop.start()
    }

    /// Runs something on the loop and waits for it.
    @discardableResult
    func onLoop<Result: Sendable>(
        _ body: @escaping @Sendable (MultiHandle) -> Result
    ) async throws -> Result {
        let done = Gate()
        let outcome = Outcome<Result>()
        loop.perform { [self] in
            let made = multi ?? MultiHandle(loop: loop, pool: SlabPool(), limits: limits)
            multi = made
            outcome.value = body(made)
            done.open()
        }
        try await done.opened()
        guard let value = outcome.value else { preconditionFailure("nothing came back") }
        return value
    }

    /// Does something with the multi handle from a call that comes on the loop.
    func onLoopNow(_ body: (MultiHandle) -> Void) {
        loop.preconditionIsCurrent()
        if let multi { body(multi) }
    }

    /// Lets go of the multi handle on the loop, and ends the loop.
    func end() async throws {
        try await onLoop { [self] _ in multi = nil }
        loop.shutDown()
    }
}

/// Written by the loop before a gate opens, read behind it.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}

/// Keeps what a transfer says, and does what a test wants meanwhile.
final class Listener: TransferDelegate, @unchecked Sendable {
    /// One call.
    enum Call: Equatable, Sendable {
        case began
        case progress
        case line
        case question
        case asked
        case data
        case completed(CurlCode)

        /// Whether nothing may follow.
        var isLast: Bool {
            if case .completed = self { true } else { false }
        }
    }

    // Loop affinity, but for the gates; a test reads the rest when the transfer has ended.
    private(set) var calls: [Call] = []
    private(set) var bytes: [UInt8] = []
    private(set) var sent: [Int64] = []
    private(set) var outcome: TransferOutcome?
    var answer: @Sendable (Listener) -> ReceiveAnswer = { _ in .take }
    var onSent: @Sendable (Int64, Transfer) -> Void = { _, _ in }
    let completed = Gate()
    let paused = Gate()
    let questioned = Gate()
    private(set) var questions: [HandshakeQuestion] = []
    var onQuestion: @Sendable (Transfer) -> Void = { _ in }
    private let onCall: @Sendable (Call, Transfer) -> Void

    init(_ onCall: @escaping @Sendable (Call, Transfer) -> Void = { _, _ in }) {
        self.onCall = onCall
    }

    private func hear(_ call: Call, _ transfer: Transfer) {
        calls.append(call)
        onCall(call, transfer)
    }

    func transferDidBegin(_ transfer: Transfer) { hear(.began, transfer) }

    func transferDidMakeProgress(_ transfer: Transfer) { hear(.progress, transfer) }

    func transfer(_ transfer: Transfer, asks question: HandshakeQuestion) {
        questions.append(question)
        hear(.question, transfer)
        onQuestion(transfer)
        questioned.open()
    }

    func transfer(_ transfer: Transfer, didSend total: Int64) {
        sent.append(total)
        onSent(total, transfer)
    }

    func transfer(_ transfer: Transfer, didReceiveHeaderLine line: [UInt8]) -> Bool {
        hear(.line, transfer)
        return true
    }

    func transfer(_ transfer: Transfer, willReceive count: Int) -> ReceiveAnswer {
        hear(.asked, transfer)
        let answer = answer(self)
        if answer == .pause { paused.open() }
        return answer
    }

    func transfer(_ transfer: Transfer, didReceive piece: SlabPiece) {
        bytes += unsafe Array(piece.slab.bytes(in: piece.range))
        hear(.data, transfer)
    }

    func transfer(_ transfer: Transfer, didCompleteWith outcome: TransferOutcome) {
        self.outcome = outcome
        hear(.completed(outcome.code), transfer)
        completed.open()
    }
}

/// A transfer that may be handed to the loop, which alone touches it from then on.
struct HandedOver: @unchecked Sendable {
    let transfer: Transfer

    init(_ request: TransferRequest, _ listener: Listener) {
        transfer = Transfer(request: request, delegate: listener)
    }
}
