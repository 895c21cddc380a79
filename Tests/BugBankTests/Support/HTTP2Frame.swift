/// A frame of HTTP/2 (RFC 9113 section 4.1), written by hand.
struct HTTP2Frame: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case data = 0
        case headers = 1
        case priority = 2
        case reset = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    static let endStream: UInt8 = 1
    static let endHeaders: UInt8 = 4

    let kind: Kind
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    /// As it goes over the wire.
    var bytes: [UInt8] {
        let length = UInt32(payload.count)
        return [
            UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF),
            kind.rawValue, flags,
        ] + Self.word(stream) + payload
    }

    /// Whether the client has sent its whole request with this.
    var endsRequest: Bool { [.headers, .data].contains(kind) && flags & Self.endStream != 0 }

    private static func word(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }
}

// MARK: - Those that a server sends

extension HTTP2Frame {
    /// What a server begins with: its settings, and that it has seen the client's.
    static let preface =
        HTTP2Frame(kind: .settings).bytes + HTTP2Frame(kind: .settings, flags: 1).bytes

    /// The head of a response; status and fields go out uncompressed (RFC 7541 section 6.2.2).
    static func head(
        _ status: Int,
        _ fields: [(name: String, value: String)] = [],
        on stream: UInt32,
        isLast: Bool = false
    ) -> HTTP2Frame {
        let lines = [(":status", "\(status)")] + fields.map { ($0.name, $0.value) }
        var block: [UInt8] = []
        for (name, value) in lines { block += [0] + text(name) + text(value) }
        let flags = endHeaders | (isLast ? endStream : 0)
        return HTTP2Frame(kind: .headers, flags: flags, stream: stream, payload: block)
    }

    /// A text behind its length (RFC 7541 section 5.2).
    private static func text(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count)] + Array(text.utf8)
    }

    static func body(_ text: String, on stream: UInt32, isLast: Bool = true) -> HTTP2Frame {
        HTTP2Frame(
            kind: .data,
            flags: isLast ? endStream : 0,
            stream: stream,
            payload: Array(text.utf8)
        )
    }

    /// A whole response.
    static func answer(
        _ status: Int = 200,
        body text: String,
        on stream: UInt32
    ) -> [UInt8] {
        head(status, on: stream).bytes + body(text, on: stream).bytes
    }

    static func reset(_ error: UInt32, on stream: UInt32) -> [UInt8] {
        HTTP2Frame(kind: .reset, stream: stream, payload: word(error)).bytes
    }

    static func goAway(after stream: UInt32, error: UInt32 = 0) -> [UInt8] {
        HTTP2Frame(kind: .goAway, payload: word(stream) + word(error)).bytes
    }
}
