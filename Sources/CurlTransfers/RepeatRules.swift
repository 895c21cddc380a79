/// Decides whether a request may go out once more that brought no answer.
///
/// A network connection that was kept may die before the first byte of an answer. Over HTTP/1.1 the server has
/// nearly always closed it as idle, and any request is sent again, as libcurl and browsers do. Over
/// HTTP/2 the server has ways to say what it has not processed (RFC 9113 section 8.7): what is not the
/// same twice as once is sent again only then, or when nobody can have seen it (RFC 9110 section 9.2.2).
struct RepeatRules {
    /// One time that the request went out.
    struct Attempt {
        /// Whether an earlier transfer had opened the network connection.
        let isOnKept: Bool

        let isHTTP2: Bool

        /// Whether the network connection was taken out of use just before.
        let isInVain: Bool
    }

    private let isIdempotent: Bool
    private var last: Attempt?
    private var hasAnswer = false

    init(method: String) {
        isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
    }

    /// The first byte of an answer has come.
    mutating func answer() {
        hasAnswer = true
    }

    /// The request goes out; returns false when it must not.
    ///
    /// - Parameters:
    ///   - attempt: How it would go out.
    ///   - isWithoutError: Whether libcurl has no complaint. Over HTTP/2 it then sends again because the
    ///     server has refused the stream.
    /// - Returns: Whether it may.
    mutating func send(_ attempt: Attempt, isWithoutError: Bool) -> Bool {
        if let last, !hasAnswer {
            guard isHarmless(after: last) || isWithoutError else { return false }
        }
        last = attempt
        hasAnswer = false
        return true
    }

    /// Whether a new network connection may bring what a kept one did not, after libcurl has given up.
    func isWorthAnother(_ code: CurlCode) -> Bool {
        guard let last, last.isOnKept, !hasAnswer, isHarmless(after: last) else { return false }
        return Self.endsOfConnections.contains(code)
    }

    private func isHarmless(after last: Attempt) -> Bool {
        isIdempotent || last.isInVain || !last.isHTTP2
    }

    private static let endsOfConnections: [CurlCode] = [
        .http2, .partialFile, .receiveError, .sendError, .gotNothing, .sendFailedToRewind,
    ]
}
