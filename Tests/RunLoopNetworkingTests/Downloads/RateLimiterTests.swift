import Testing

@testable import RunLoopNetworking

@Suite("A limit of bytes per second", .timeLimit(.minutes(1)))
struct RateLimiterTests {
    private let start = ContinuousClock.now

    private func limiter(_ bytesPerSecond: Int64 = 1_000, capacity: Int64? = nil) -> RateLimiter {
        RateLimiter(bytesPerSecond: bytesPerSecond, capacity: capacity, now: start)
    }

    @Test("What the bucket holds comes at once; the rest has to be waited for")
    func debt() {
        var limiter = limiter(capacity: 500)
        #expect(limiter.take(500, now: start) == .zero)
        #expect(limiter.take(250, now: start) == .milliseconds(250))
        #expect(limiter.delay(now: start + .milliseconds(125)) == .milliseconds(125))
        #expect(limiter.take(250, now: start + .milliseconds(250)) == .milliseconds(250))
        #expect(limiter.delay(now: start + .milliseconds(500)) == .zero)
    }

    @Test("A piece that is greater than the bucket is paid off later")
    func greatPiece() {
        var limiter = limiter(capacity: 0)
        #expect(limiter.take(10_000, now: start) == .seconds(10))
        #expect(limiter.take(1_000, now: start + .seconds(10)) == .seconds(1))
    }

    @Test("A rest fills the bucket, and no more than that")
    func rest() {
        var limiter = limiter()
        #expect(limiter.capacity == 100)
        #expect(limiter.take(100, now: start) == .zero)
        #expect(limiter.take(99, now: start + .seconds(3_600)) == .zero)
        #expect(limiter.take(501, now: start + .seconds(3_600)) == .milliseconds(500))
    }

    @Test("Over a long time the limit is kept, whatever the pieces are")
    func longTime() {
        var limiter = limiter(1_000_000)
        var now = start
        var bytes = 0
        for index in 0..<1_000 {
            let piece = 1 + (index * 7_919) % 65_536
            bytes += piece
            now += limiter.take(piece, now: now)
        }
        let seconds = (now - start) / .seconds(1)
        #expect((Double(bytes - 100_000) / seconds - 1_000_000).magnitude < 1)
    }

    @Test("A clock that goes backwards adds nothing and takes nothing")
    func backwards() {
        var limiter = limiter(capacity: 0)
        #expect(limiter.take(1_000, now: start + .seconds(1)) == .seconds(1))
        #expect(limiter.delay(now: start) == .seconds(1))
        #expect(limiter.take(1_000, now: start) == .seconds(2))
        #expect(limiter.delay(now: start + .seconds(2)) == .seconds(1))
    }

    @Test("The greatest limit there is limits nothing, and 0 stops the program")
    func bounds() async {
        var limiter = limiter(.max)
        #expect(limiter.take(1 << 40, now: start) == .zero)
        await #expect(processExitsWith: .failure) {
            _ = RateLimiter(bytesPerSecond: 0, now: .now)
        }
    }
}
