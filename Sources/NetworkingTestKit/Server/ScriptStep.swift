/// One thing that a ``ScriptedServer`` does on a connection.
///
/// A script is a list of steps, a plain value. After the last step the connection is held open
/// until the client closes it.
public struct ScriptStep: Sendable {
    indirect enum Kind: Sendable {
        case waitForRequest
        case waitForHead
        case take(Int)
        case send([UInt8], bytewise: Bool)
        case sendPattern(count: Int, offset: Int, stalled: Gate?)
        case pause(Duration)
        case waitFor(Gate)
        case open(Gate)
        case startTLS(TLSIdentity)
        case converse(@Sendable () -> Responder)
        case finish(orderly: Bool)
        case halfClose
        case reset
        case hold
        case again(times: Int, [ScriptStep])
    }

    let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }
}

// MARK: - Reading and waiting

extension ScriptStep {
    /// Reads a whole request, the body that it announces included, and records it.
    public static var waitForRequest: ScriptStep { ScriptStep(.waitForRequest) }

    /// Reads the head of a request and records it, and reads no more.
    public static var waitForHead: ScriptStep { ScriptStep(.waitForHead) }

    /// Reads so many bytes and forgets them: a part of a body, behind ``waitForHead``.
    public static func take(_ count: Int) -> ScriptStep { ScriptStep(.take(count)) }

    /// Goes on when the test opens the gate.
    public static func waitFor(_ gate: Gate) -> ScriptStep { ScriptStep(.waitFor(gate)) }

    /// Opens a gate, to tell the test how far the script has come.
    public static func open(_ gate: Gate) -> ScriptStep { ScriptStep(.open(gate)) }

    /// Does nothing for a while; a gate is better where something else can be waited for.
    public static func pause(_ duration: Duration) -> ScriptStep { ScriptStep(.pause(duration)) }
}

// MARK: - Other protocols

extension ScriptStep {
    /// Takes the bytes that have come, and returns those to send; nil ends the conversation.
    public typealias Responder = ([UInt8]) -> [UInt8]?

    /// Goes on over TLS, once the handshake is done: what a proxy does that has answered CONNECT.
    public static func startTLS(_ identity: TLSIdentity) -> ScriptStep {
        ScriptStep(.startTLS(identity))
    }

    /// Has the bytes answered by what `make` returns, made anew for each connection.
    ///
    /// It is called on the connection's thread, with what has come since it was called before. What
    /// stands in no request can be answered in this way: frames of HTTP/2, or SOCKS.
    public static func converse(_ make: @escaping @Sendable () -> Responder) -> ScriptStep {
        ScriptStep(.converse(make))
    }
}

// MARK: - Sending

extension ScriptStep {
    /// Sends exactly these bytes.
    public static func send(_ bytes: [UInt8]) -> ScriptStep {
        ScriptStep(.send(bytes, bytewise: false))
    }

    /// Sends the bytes of a text, as UTF-8; write `\r\n` where a line ends.
    public static func send(_ text: String) -> ScriptStep { send(Array(text.utf8)) }

    /// Sends each byte by a write of its own.
    public static func sendBytewise(_ bytes: [UInt8]) -> ScriptStep {
        ScriptStep(.send(bytes, bytewise: true))
    }

    /// Sends each byte of a text by a write of its own.
    public static func sendBytewise(_ text: String) -> ScriptStep { sendBytewise(Array(text.utf8)) }

    /// Sends ``CounterPattern`` bytes, made on the way.
    ///
    /// - Parameters:
    ///   - count: How many; more than the client takes is fine, the script ends with the client.
    ///   - offset: Where in the pattern to begin.
    ///   - stalled: Opened when the client has not taken a byte for a quarter of a second.
    /// - Returns: The step.
    public static func sendPattern(
        _ count: Int,
        from offset: Int = 0,
        stalled: Gate? = nil
    ) -> ScriptStep {
        ScriptStep(.sendPattern(count: count, offset: offset, stalled: stalled))
    }

    /// Sends a whole response with a `Content-Length`, and leaves the connection open.
    public static func respond(
        _ status: Int = 200,
        _ fields: [String] = [],
        body: String = ""
    ) -> ScriptStep {
        let lines = ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + fields
        return send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}

// MARK: - Ending and repeating

extension ScriptStep {
    /// Closes the connection in good order (FIN), over TLS with a close_notify before.
    public static var finish: ScriptStep { ScriptStep(.finish(orderly: true)) }

    /// Closes the connection (FIN) without TLS's close_notify, as somebody would who cuts it.
    ///
    /// Without TLS it is the same as ``finish``.
    public static var finishWithoutNotice: ScriptStep { ScriptStep(.finish(orderly: false)) }

    /// Says that nothing more is sent (FIN, over TLS with a close_notify before), and goes on reading.
    public static var halfClose: ScriptStep { ScriptStep(.halfClose) }

    /// Tears the connection down (RST).
    public static var reset: ScriptStep { ScriptStep(.reset) }

    /// Sends nothing more and holds the connection open until the client closes it.
    public static var hold: ScriptStep { ScriptStep(.hold) }

    /// Does the steps several times.
    public static func again(times: Int, _ steps: [ScriptStep]) -> ScriptStep {
        ScriptStep(.again(times: times, steps))
    }

    /// Does the steps for as long as the client stays.
    public static func forever(_ steps: [ScriptStep]) -> ScriptStep { again(times: .max, steps) }
}
