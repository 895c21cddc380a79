private import Dispatch

/// Plays a script on one accepted connection, on a thread that may block.
struct ScriptPlayer {
    private let core: ServerCore
    private var channel: any ByteChannel
    private let connection: Int
    private var reader: RequestReader

    /// How long, in milliseconds, a client that takes nothing is said to stall.
    private static let stallLimit: Int32 = 250

    private static let largestWrite = 65_536

    init(core: ServerCore, channel: any ByteChannel, connection: Int) {
        self.core = core
        self.channel = channel
        self.connection = connection
        reader = RequestReader(channel: channel, connection: connection)
    }

    /// Does all steps, then holds the connection until the client closes it.
    mutating func play(_ steps: [ScriptStep]) {
        guard channel.open() else { return core.clientClosed() }
        if let name = (channel as? TLSChannel)?.serverName {
            core.record.change { $0.serverNames.append(name) }
        }
        if perform(steps) { hold() }
    }

    /// Returns false when the connection is over.
    private mutating func perform(_ steps: [ScriptStep]) -> Bool {
        for step in steps {
            guard !core.isStopped, perform(step) else { return false }
        }
        return true
    }

    private mutating func perform(_ step: ScriptStep) -> Bool {
        switch step.kind {
        case .waitForRequest: return read { $0.next() }
        case .waitForHead: return read { $0.nextHead() }
        case .take(let count): return take(count)
        case .send(let bytes, let isBytewise):
            return send(bytes[...], inPiecesOf: isBytewise ? 1 : bytes.count, stalled: nil)
        case .sendPattern(let count, let offset, let stalled):
            return sendPattern(count, from: offset, stalled: stalled)
        case .pause(let duration): pause(duration)
        case .waitFor(let gate): wait(for: gate)
        case .open(let gate): gate.open()
        case .startTLS(let identity): return startTLS(identity)
        case .converse(let make): return converse(make())
        case .halfClose: channel.finishSending(orderly: true)
        case .finish(let isOrderly):
            channel.finishSending(orderly: isOrderly)
            // What is left unread would turn the close into a reset.
            reader.forgetWaiting()
            return false
        case .reset:
            channel.resetOnClose()
            return false
        case .hold:
            hold()
            return false
        case .again(let times, let steps):
            for _ in 0..<times { guard perform(steps) else { return false } }
        }
        return true
    }

    private mutating func read(_ next: (inout RequestReader) -> RecordedRequest?) -> Bool {
        guard let request = next(&reader) else {
            core.clientClosed()
            return false
        }
        core.received(request)
        return true
    }

    private mutating func take(_ count: Int) -> Bool {
        let isThere = reader.skip(count)
        if !isThere { core.clientClosed() }
        return isThere
    }

    private mutating func startTLS(_ identity: TLSIdentity) -> Bool {
        channel = TLSChannel(over: channel, identity.context)
        reader = RequestReader(channel: channel, connection: connection)
        let isOpen = channel.open()
        if !isOpen { core.clientClosed() }
        return isOpen
    }

    private mutating func converse(_ respond: ScriptStep.Responder) -> Bool {
        while true {
            let bytes = reader.nextBytes()
            guard !bytes.isEmpty else {
                core.clientClosed()
                return false
            }
            guard let answer = respond(bytes) else { return true }
            guard send(answer[...], inPiecesOf: answer.count, stalled: nil) else { return false }
        }
    }

    private mutating func hold() {
        while reader.more() {}
        core.clientClosed()
    }
}

// MARK: - Sending

extension ScriptPlayer {
    private func send(_ bytes: ArraySlice<UInt8>, inPiecesOf size: Int, stalled: Gate?) -> Bool {
        var left = bytes
        while !left.isEmpty {
            guard
                let sent = channel.send(
                    left.prefix(size),
                    patience: Self.stallLimit,
                    stalled: { stalled?.open() }
                )
            else {
                core.clientClosed()
                return false
            }
            core.sent(sent, on: connection)
            left.removeFirst(sent)
        }
        return true
    }

    private func sendPattern(_ count: Int, from offset: Int, stalled: Gate?) -> Bool {
        var done = 0
        while done < count {
            let size = min(count - done, Self.largestWrite)
            let bytes = CounterPattern.bytes(count: size, from: offset + done)
            guard send(bytes[...], inPiecesOf: size, stalled: stalled) else { return false }
            done += size
        }
        return true
    }
}

// MARK: - Waiting

extension ScriptPlayer {
    /// Waits for a gate, or for the server to stop.
    private func wait(for gate: Gate) {
        let semaphore = DispatchSemaphore(value: 0)
        gate.state.when({ $0 }, limit: nil, then: { _ in semaphore.signal() })
        core.whenStopped { semaphore.signal() }
        semaphore.wait()
    }

    private func pause(_ duration: Duration) {
        let semaphore = DispatchSemaphore(value: 0)
        core.whenStopped { semaphore.signal() }
        _ = semaphore.wait(timeout: .now() + duration.seconds)
    }
}
