/// Reads whole requests from a channel; what was read too far is kept for the next one.
struct RequestReader {
    private let channel: any ByteChannel
    private let connection: Int
    private var unread: [UInt8] = []

    init(channel: any ByteChannel, connection: Int) {
        self.channel = channel
        self.connection = connection
    }

    /// Waits for a request, its body included; nil when the client goes away before.
    mutating func next() -> RecordedRequest? {
        guard var request = nextHead(), let body = body(of: request) else { return nil }
        request.body = body
        return request
    }

    /// Waits for the head of a request; nil when the client goes away before.
    mutating func nextHead() -> RecordedRequest? {
        take(upTo: [13, 10, 13, 10]).map { RecordedRequest(head: $0, connection: connection) }
    }

    /// Waits for so many bytes and forgets them; false when the client goes away before.
    mutating func skip(_ count: Int) -> Bool {
        var left = count - unread.count
        unread.removeFirst(min(count, unread.count))
        while left > 0 {
            let bytes = channel.receive(atMost: min(left, 65_536))
            guard !bytes.isEmpty else { return false }
            left -= bytes.count
        }
        return true
    }

    /// Waits for bytes, whatever they are; none at all means that the client is gone.
    mutating func nextBytes() -> [UInt8] {
        guard !unread.isEmpty || more() else { return [] }
        defer { unread = [] }
        return unread
    }

    /// Waits for bytes that belong to no request; false when the client is gone.
    mutating func more() -> Bool {
        let bytes = channel.receive(atMost: 65_536)
        unread += bytes
        return !bytes.isEmpty
    }

    /// Reads and forgets what is there.
    mutating func forgetWaiting() {
        unread = []
        while !channel.receiveWaiting(atMost: 65_536).isEmpty {}
    }

    private mutating func body(of request: RecordedRequest) -> [UInt8]? {
        if request["Transfer-Encoding"]?.lowercased() == "chunked" { return chunks() }
        guard let length = request["Content-Length"].flatMap({ Int($0) }) else { return [] }
        return take(length)
    }

    private mutating func chunks() -> [UInt8]? {
        var body: [UInt8] = []
        while let line = take(upTo: [13, 10]) {
            let digits = String(decoding: line.dropLast(2), as: UTF8.self).prefix { $0 != ";" }
            guard let size = Int(digits, radix: 16), let chunk = take(size) else { return nil }
            // Behind the last chunk there may be trailers; behind all others there is a line end.
            guard let end = take(upTo: [13, 10]) else { return nil }
            if size == 0 {
                return end == [13, 10] ? body : take(upTo: [13, 10, 13, 10]).map { _ in body }
            }
            body += chunk
        }
        return nil
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while unread.count < count { guard more() else { return nil } }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    private mutating func take(upTo mark: [UInt8]) -> [UInt8]? {
        var looked = 0
        while true {
            while looked + mark.count <= unread.count {
                if unread[looked..<looked + mark.count].elementsEqual(mark) {
                    return take(looked + mark.count)
                }
                looked += 1
            }
            guard more() else { return nil }
        }
    }
}
