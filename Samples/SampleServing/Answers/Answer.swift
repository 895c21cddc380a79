/// What the server says to one request, as a value.
struct Answer: Equatable {
    struct Header: Equatable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How the client learns where the body ends.
    enum Framing: Equatable {
        /// By a Content-Length, which is true unless a route lies.
        case length(Int64)
        /// By the last chunk, or, for HTTP/1.0, by the end of the network connection.
        case chunked
    }

    /// What happens after the body.
    enum Ending: Equatable {
        /// The network connection waits for the next request.
        case complete
        /// The network connection is closed in order (FIN).
        case hangUp
        /// The network connection is reset (RST), once the peer's kernel has all bytes.
        case reset
    }

    var status: Int
    var headers: [Header]
    var body: Body
    var framing: Framing
    var ending = Ending.complete

    /// How long the server waits before it answers.
    var delay = Duration.zero

    /// How many bytes of the body are sent in a second; nil for as fast as they are taken.
    var bytesPerSecond: Int64?

    /// After how many bytes the body is cut.
    var limit: Int64?

    /// Makes an answer whose Content-Length is that of its body.
    init(status: Int = 200, headers: [Header] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
        framing = .length(body.count)
    }

    /// Makes an answer of one line of text.
    static func text(status: Int = 200, headers: [Header] = [], _ line: String) -> Self {
        let type = Header("Content-Type", "text/plain; charset=utf-8")
        return Self(status: status, headers: [type] + headers, body: .text(line + "\n"))
    }
}

// MARK: - On the wire

extension Answer {
    /// Whether a body follows the head, for a request with this method.
    func sendsBody(to method: Request.Method) -> Bool {
        method != .head && ![204, 304].contains(status)
    }

    /// The header fields, with those that say where the body ends.
    func head(for method: Request.Method) -> [Header] {
        guard ![204, 304].contains(status) else { return headers }
        switch framing {
        case .length(let length):
            return headers + [Header("Content-Length", String(length))]
        case .chunked:
            // evhttp says it by itself where it sends chunks, but not in the answer to HEAD.
            return method == .head ? headers + [Header("Transfer-Encoding", "chunked")] : headers
        }
    }
}
