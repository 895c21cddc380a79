import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("Freshness", .timeLimit(.minutes(1)))
struct FreshnessTests {
    private static let clock = MovableClock()

    private func freshness(
        _ lines: [String],
        status: Int = 200,
        delay: Double = 0
    ) throws -> Freshness {
        let block = try HeaderBlock(fieldLines: lines)
        let head = HeaderBlock(
            statusCode: status,
            httpVersion: "HTTP/1.1",
            reason: "",
            fields: block.fields
        )
        let now = Self.clock.now
        return Freshness(head, requestTime: now - delay, responseTime: now)
    }

    private static let lifetimes: [([String], Double)] = [
        (["Cache-Control: max-age=60"], 60.0),
        (["Cache-Control: s-maxage=3600, max-age=60"], 60),
        (["Cache-Control: s-maxage=3600"], 0),
        (["Cache-Control: max-age=60", "Expires: \(clock.date(-5))"], 60),
        (["Cache-Control: max-age=x", "Expires: \(clock.date(50))"], 0),
        (["Expires: \(clock.date(50))", "Date: \(clock.date())"], 50),
        (["Expires: \(clock.date(50))", "Date: \(clock.date(20))"], 30),
        (["Expires: \(clock.date(50))", "Date: \(clock.date(70))"], 0),
        (["Expires: \(clock.date(50))", "Date: foo"], 50),
        (["Expires: \(clock.date(50))"], 50),
        (["Expires: 0", "Last-Modified: \(clock.date(-1000))"], 0),
        (["Expires: \(clock.date(50))", "Expires: \(clock.date(51))"], 0),
        (["Expires: \(clock.date(50))", "Expires: \(clock.date(50))"], 50),
    ]

    @Test(
        "How long a response lasts is max-age, or Expires less Date",
        arguments: lifetimes
    )
    func lifetime(lines: [String], seconds: Double) throws {
        #expect(try freshness(lines).lifetime == seconds)
    }

    private static let guesses: [([String], Int, Double)] = [
        (["Last-Modified: \(clock.date(-1000))"], 200, 100.0),
        (["Last-Modified: \(clock.date(-1000))", "Date: \(clock.date(-500))"], 200, 50),
        (["Last-Modified: \(clock.date(-1000))"], 404, 100),
        (["Last-Modified: \(clock.date(-1000))"], 201, 0),
        (["Last-Modified: \(clock.date(-1000))"], 503, 0),
        (["Last-Modified: \(clock.date(-1000))", "Cache-Control: public"], 503, 100),
        (["Last-Modified: \(clock.date(-1e9))"], 200, 86_400),
        (["Last-Modified: \(clock.date(1000))"], 200, 0),
        (["Last-Modified: yesterday"], 200, 0),
        ([], 200, 0),
    ]

    @Test(
        "Without either it is a tenth of the time since the last change, a day at most",
        arguments: guesses
    )
    func heuristic(lines: [String], status: Int, seconds: Double) throws {
        #expect(try freshness(lines, status: status).lifetime == seconds)
    }

    private static let ages: [([String], Double, Double)] = [
        (["Age: 30"], 0.0, 30.0), (["Age: 30"], 5, 35), (["Age: 30, 60"], 0, 30),
        (["Age: 30", "Age: 60"], 0, 30), (["Age: 30.5"], 0, 0), (["Age: -30"], 0, 0),
        (["Age: 30;x=1"], 0, 0), (["Age: 99999999999"], 0, Double(1 << 31)),
        (["Date: \(clock.date(-20))"], 5, 20),
        (["Date: \(clock.date(-20))", "Age: 25"], 0, 25),
        (["Date: \(clock.date(20))"], 0, 0), (["Date: foo"], 0, 0), ([], 2, 2),
    ]

    @Test(
        "The age begins with the greater one of Age and the time since Date",
        arguments: ages
    )
    func initialAge(lines: [String], delay: Double, seconds: Double) throws {
        #expect(try freshness(lines, delay: delay).initialAge == seconds)
    }

    @Test("It grows with the time that the response lies here")
    func growth() throws {
        let freshness = try freshness(["Age: 30", "Cache-Control: max-age=60"])
        let now = Self.clock.now
        #expect(freshness.age(at: now + 10) == 40)
        #expect(freshness.remaining(at: now + 10) == 20)
        #expect(freshness.remaining(at: now + 40) == -10)
    }

    @Test("A clock that was set back makes a response stale")
    func clockSetBack() throws {
        let freshness = try freshness(["Cache-Control: max-age=60"])
        #expect(freshness.remaining(at: Self.clock.now - 1) == -.infinity)
    }
}
