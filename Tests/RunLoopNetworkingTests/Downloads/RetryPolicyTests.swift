import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("When a download is tried again", .timeLimit(.minutes(1)))
struct RetryPolicyTests {
    /// Always the same number: one that chooses the least of a range, or almost the greatest.
    private struct Constant: RandomNumberGenerator {
        let value: UInt64
        func next() -> UInt64 { value }
    }

    private let now = Date(timeIntervalSince1970: 784_111_777)

    private func delay(
        _ policy: RetryPolicy = RetryPolicy(maximumTries: 100),
        after tries: Int = 1,
        _ cause: RetryPolicy.Cause = .error(.timedOut),
        isLongest: Bool = true
    ) -> Duration? {
        var generator = Constant(value: isLongest ? 0x1F_FFFF_FFFF_0000 : 0)
        return policy.delay(afterTry: tries, cause, now: now, using: &generator)
    }

    /// As near as that number is to the greatest.
    private func isNear(_ duration: Duration?, _ seconds: Double) -> Bool {
        duration.map { ($0 / .seconds(1) - seconds).magnitude < 1e-6 } ?? false
    }

    @Test("Each time it waits for twice as long, up to a limit")
    func backOff() {
        for (tries, seconds) in [(1, 1.0), (2, 2), (3, 4), (6, 32), (7, 60), (8, 60), (99, 60)] {
            #expect(isNear(delay(after: tries), seconds), "after \(tries)")
            #expect(isNear(delay(after: tries, isLongest: false), seconds / 2), "after \(tries)")
        }
    }

    @Test("Chance leaves out at most half")
    func jitter() {
        var generator = SystemRandomNumberGenerator()
        var delays: Set<Duration> = []
        for _ in 0..<100 {
            let policy = RetryPolicy()
            let delay = policy.delay(
                afterTry: 3,
                .error(.networkConnectionLost),
                now: now,
                using: &generator
            )
            #expect(delay.map { (.seconds(2) ... .seconds(4)).contains($0) } == true)
            if let delay { delays.insert(delay) }
        }
        #expect(delays.count > 1)
    }

    @Test("After so many tries there is none")
    func bounded() {
        #expect(delay(RetryPolicy(), after: 4) != nil)
        #expect(delay(RetryPolicy(), after: 5) == nil)
        #expect(delay(.never, after: 1) == nil)
    }

    @Test("What may be over by itself is tried again, and nothing else")
    func errors() {
        for code in [URLError.Code.networkConnectionLost, .timedOut, .zeroByteResource] {
            #expect(delay(.init(), .error(code)) != nil)
        }
        let unreachable: [URLError.Code] = [
            .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
        ]
        for code in unreachable {
            #expect(delay(.init(), .error(code)) == nil)
            #expect(delay(RetryPolicy(retriesUnreachableHosts: true), .error(code)) != nil)
        }
        let lasting: [URLError.Code] = [
            .fileDoesNotExist, .cannotWriteToFile, .cannotCreateFile, .serverCertificateUntrusted,
            .serverCertificateHasBadDate, .secureConnectionFailed, .badURL, .cancelled,
            .badServerResponse, .userAuthenticationRequired, .cannotDecodeContentData,
        ]
        for code in lasting {
            #expect(delay(RetryPolicy(retriesUnreachableHosts: true), .error(code)) == nil)
        }
    }

    @Test("Statuses that may be over by themselves are tried again, and no others")
    func statuses() {
        for status in [408, 429, 500, 502, 503, 504] {
            #expect(delay(.init(), .status(status, retryAfter: nil)) != nil)
        }
        for status in [400, 401, 403, 404, 407, 410, 412, 416, 501, 505, 507, 302] {
            #expect(delay(.init(), .status(status, retryAfter: nil)) == nil)
        }
        #expect(delay(.init(), .status(507, retryAfter: RetryAfter("1"))) != nil)
        #expect(delay(.init(), .status(404, retryAfter: RetryAfter("1"))) == nil)
    }

    @Test("A server that names a time is not asked before; one that names too long a time, never")
    func retryAfter() {
        func delay(_ value: String) -> Duration? {
            self.delay(.init(), .status(503, retryAfter: RetryAfter(value)))
        }
        #expect(delay("120") == .seconds(120))
        #expect(delay("Sun, 06 Nov 1994 08:51:37 GMT") == .seconds(120))
        #expect(isNear(delay("0"), 1))
        #expect(isNear(delay("Sun, 06 Nov 1994 08:49:37 GMT"), 1))
        #expect(isNear(delay("soon"), 1))
        #expect(delay("600") == .seconds(600))
        #expect(delay("601") == nil)
        #expect(delay("9223372036854775807") == nil)
        #expect(isNear(delay("-5"), 1))
    }

    @Test("Retry-After is a number of seconds or a date")
    func values() {
        #expect(RetryAfter("5") == .delay(.seconds(5)))
        #expect(RetryAfter("Sun, 06 Nov 1994 08:49:37 GMT") == .moment(now))
        for value in ["", "-1", "+5", "5.5", "tomorrow", "9223372036854775808"] {
            #expect(RetryAfter(value) == nil, "\(value)")
        }
    }

    @Test("A policy without a try stops the program")
    func noTry() async {
        await #expect(processExitsWith: .failure) { _ = RetryPolicy(maximumTries: 0) }
    }
}
