internal import Foundation
internal import FoundationNetworking

/// How often a download is tried again, and how long it waits before.
///
/// After the first failure it waits for ``firstDelay``, then for twice as long each time, up to
/// ``maximumDelay``. Of this time a part by chance is left out, at most half, so that many clients which
/// were cut off at once don't come back at once. A server that names a time itself (Retry-After) is not
/// asked before.
///
/// Only what may be over by itself is tried again: a lost network connection, a time-out, the statuses
/// 408, 429, 500, 502, 503 and 504, and any other 5xx with a Retry-After. No other failure is: a file that
/// is not there, a full disk or a bad certificate stay as they are.
public struct RetryPolicy: Hashable, Sendable {
    /// How many tries there are in all; 1 is to try once.
    public var maximumTries: Int

    /// How long to wait after the first failure.
    public var firstDelay: Duration

    /// The longest time to wait, if the server does not name a longer one.
    public var maximumDelay: Duration

    /// The longest time that a server may name; if it names a longer one, there is no other try.
    public var maximumRetryAfter: Duration

    /// Whether to try again also when the host can't be found or refuses network connections.
    public var retriesUnreachableHosts: Bool

    /// Makes a policy; the usual one tries 5 times and waits for 1, 2, 4 and 8 seconds at most.
    public init(
        maximumTries: Int = 5,
        firstDelay: Duration = .seconds(1),
        maximumDelay: Duration = .seconds(60),
        maximumRetryAfter: Duration = .seconds(600),
        retriesUnreachableHosts: Bool = false
    ) {
        precondition(
            maximumTries >= 1 && firstDelay >= .zero && maximumDelay >= .zero,
            "give a number of tries from 1 on, and no negative times"
        )
        self.maximumTries = maximumTries
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
        self.retriesUnreachableHosts = retriesUnreachableHosts
    }

    /// A policy that tries once.
    public static let never = RetryPolicy(maximumTries: 1)
}

// MARK: - Deciding

extension RetryPolicy {
    /// Why a try failed.
    enum Cause: Equatable {
        case error(URLError.Code)
        /// The status of the response, and its Retry-After.
        case status(Int, retryAfter: RetryAfter?)
    }

    /// How long to wait before the next try; nil when there is to be none.
    ///
    /// `tries` have failed, the last one included; `now` is the time by the calendar, for a server that
    /// names a moment.
    func delay<Generator: RandomNumberGenerator>(
        afterTry tries: Int,
        _ cause: Cause,
        now: Date,
        using generator: inout Generator
    ) -> Duration? {
        guard tries < maximumTries, canHelp(cause) else { return nil }
        var delay = firstDelay
        for _ in 1..<max(tries, 1) where delay < maximumDelay { delay *= 2 }
        delay = min(delay, maximumDelay)
        delay = delay * Double.random(in: 0.5..<1, using: &generator)
        guard case .status(_, let retryAfter?) = cause else { return delay }
        let asked = retryAfter.delay(from: now)
        return asked <= maximumRetryAfter ? max(delay, asked) : nil
    }

    private func canHelp(_ cause: Cause) -> Bool {
        switch cause {
        case .error(let code):
            switch code {
            case .networkConnectionLost, .timedOut, .zeroByteResource: true
            case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet:
                retriesUnreachableHosts
            default: false
            }
        case .status(let status, let retryAfter):
            switch status {
            case 408, 429, 500, 502, 503, 504: true
            case 500...599: retryAfter != nil
            default: false
            }
        }
    }
}
