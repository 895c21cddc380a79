import EventLoops
import NetworkingTestKit

/// The server's side of an HTTP/2 connection: takes the client's bytes apart.
struct HTTP2Peer {
    private static let clientPreface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private var unread: [UInt8] = []
    private var hasBegun: Bool

    /// Makes a side of a connection that begins, or that has begun.
    init(hasBegun: Bool = false) {
        self.hasBegun = hasBegun
    }

    /// Takes bytes, and returns the frames that are whole by now; nil if the client speaks no HTTP/2.
    ///
    /// Frames of unknown kinds are left out.
    mutating func take(_ bytes: [UInt8]) -> [HTTP2Frame]? {
        unread += bytes
        if !hasBegun {
            guard unread.count >= Self.clientPreface.count else { return [] }
            guard unread.starts(with: Self.clientPreface) else { return nil }
            unread.removeFirst(Self.clientPreface.count)
            hasBegun = true
        }
        var frames: [HTTP2Frame] = []
        while unread.count >= 9 {
            let length = Int(unread[0]) << 16 | Int(unread[1]) << 8 | Int(unread[2])
            guard unread.count >= 9 + length else { break }
            let stream = unread[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if let kind = HTTP2Frame.Kind(rawValue: unread[3]) {
                frames.append(
                    HTTP2Frame(
                        kind: kind,
                        flags: unread[4],
                        stream: stream & 0x7FFF_FFFF,
                        payload: Array(unread[9..<9 + length])
                    )
                )
            }
            unread.removeFirst(9 + length)
        }
        return frames
    }
}

/// What the servers of a test have seen of HTTP/2.
final class HTTP2Record: Sendable {
    private let heads = Guarded(0)

    /// How many requests have begun, on all connections.
    var requestCount: Int { heads.withLock { $0 } }

    fileprivate func note(_ frames: [HTTP2Frame]) {
        heads.withLock { $0 += frames.count { $0.kind == .headers } }
    }
}

// MARK: - Scripts

extension ScriptStep {
    /// Speaks HTTP/2 until so many requests have come whole.
    static func waitForHTTP2(requests count: Int, _ record: HTTP2Record) -> [ScriptStep] {
        [.send(HTTP2Frame.preface), wait(HTTP2Peer(), requests: count, record)]
    }

    /// Goes on until so many more requests have come whole.
    static func waitForMoreHTTP2(requests count: Int, _ record: HTTP2Record) -> ScriptStep {
        wait(HTTP2Peer(hasBegun: true), requests: count, record)
    }

    private static func wait(
        _ peer: HTTP2Peer,
        requests count: Int,
        _ record: HTTP2Record
    ) -> ScriptStep {
        .converse {
            var peer = peer
            var whole = 0
            return { bytes in
                guard let frames = peer.take(bytes) else { return nil }
                record.note(frames)
                whole += frames.count { $0.endsRequest }
                return whole < count ? [] : nil
            }
        }
    }

    /// Speaks HTTP/2, and answers each request once it is whole.
    ///
    /// The second argument of `answer` says whether the method is POST.
    static func answerHTTP2(
        _ record: HTTP2Record,
        _ answer: @escaping @Sendable (_ stream: UInt32, _ isPOST: Bool) -> [UInt8]
    ) -> [ScriptStep] {
        let talk = ScriptStep.converse {
            var peer = HTTP2Peer()
            var posts: Set<UInt32> = []
            return { bytes in
                guard let frames = peer.take(bytes) else { return nil }
                record.note(frames)
                return frames.flatMap { frame -> [UInt8] in
                    // Index 3 of the static table is `:method: POST` (RFC 7541 appendix A).
                    if frame.kind == .headers, frame.payload.contains(0x83) {
                        posts.insert(frame.stream)
                    }
                    guard frame.endsRequest else { return [] }
                    return answer(frame.stream, posts.contains(frame.stream))
                }
            }
        }
        return [.send(HTTP2Frame.preface), talk]
    }
}
