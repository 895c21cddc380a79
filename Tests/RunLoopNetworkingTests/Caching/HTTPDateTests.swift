import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("Dates of HTTP", .timeLimit(.minutes(1)))
struct HTTPDateTests {
    /// A day of November 2026.
    private let now = Date(timeIntervalSince1970: 1_796_000_000)

    @Test(
        "The three forms of RFC 9110 are read, whatever the letter case",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Wed Nov 16 08:49:37 1994", 784_975_777),
            ("SUN, 06 NOV 1994 08:49:37 gmt", 784_111_777),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sun, 21 Nov 2286 04:46:39 GMT", 10_000_039_599),
            // At most 50 years ahead.
            ("Thursday, 18-Aug-50 02:01:18 GMT", 2_544_400_878),
            ("Thursday, 18-Aug-77 02:01:18 GMT", 240_717_678),
        ]
    )
    func read(text: String, seconds: Int) {
        #expect(HTTPDate.parse(text, now: now) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(
        "What is written otherwise is no date",
        arguments: [
            "", "0", "-1", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 06  Nov  1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 30 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
            "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun Nov 06 08:49:37 1994 GMT",
        ]
    )
    func refused(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }
}
