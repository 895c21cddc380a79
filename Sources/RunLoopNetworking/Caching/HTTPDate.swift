internal import Foundation

/// The dates of Date, Expires and Last-Modified: one form to write, and two older ones to read.
///
/// What is written otherwise is no date. An Expires that is none says that the response is stale, so
/// that nothing is lost by being strict.
///
/// - SeeAlso: RFC 9110 section 5.6.7.
enum HTTPDate {
    /// Returns the moment that a text names; nil when it names none.
    ///
    /// A year of two digits is one that is near to `now`.
    static func parse(_ text: String, now: Date) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let moment: Int? =
            switch parts.count {
            case 4: obsolete(parts, now: now)
            case 5: asctime(parts, day: parts[2])
            case 6 where parts[2].isEmpty: asctime(parts[0...1] + parts[3...5], day: parts[3])
            case 6: preferred(parts)
            default: nil
            }
        return moment.map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func preferred(_ parts: [Substring]) -> Int? {
        guard isDayName(parts[0], withComma: true), isGMT(parts[5]),
            let year = number(parts[3], digits: 4)
        else { return nil }
        return moment(year: year, month: parts[2], day: parts[1], time: parts[4])
    }

    /// Reads `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func obsolete(_ parts: [Substring], now: Date) -> Int? {
        let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard isDayName(parts[0], withComma: true), isGMT(parts[3]), date.count == 3,
            let year = number(date[2], digits: 2)
        else { return nil }
        // A year that seems to be more than 50 years ahead is the last one with these digits.
        let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
        let century = thisYear / 100 * 100
        let full = century + year > thisYear + 50 ? century + year - 100 : century + year
        return moment(year: full, month: date[1], day: date[0], time: parts[2])
    }

    /// Reads `Sun Nov  6 08:49:37 1994`, where the day of the month is filled up with a blank.
    private static func asctime(_ parts: some Collection<Substring>, day: Substring) -> Int? {
        let parts = Array(parts)
        guard isDayName(parts[0], withComma: false), let year = number(parts[4], digits: 4) else {
            return nil
        }
        let padded = day.utf8.count == 1 ? "0" + day : day
        return moment(year: year, month: parts[1], day: padded, time: parts[3])
    }

    private static func moment(
        year: Int,
        month: Substring,
        day: Substring,
        time: Substring
    ) -> Int? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let month = GregorianCalendar.month(named: month),
            let day = number(day, digits: 2), let hour = number(clock[0], digits: 2),
            let minute = number(clock[1], digits: 2), let second = number(clock[2], digits: 2)
        else { return nil }
        // A leap second is a second that this calendar does not have.
        let time = (hour, minute, second == 60 ? 59 : second)
        return GregorianCalendar.seconds(year: year, month: month, day: day, time: time)
    }

    private static func isDayName(_ part: Substring, withComma: Bool) -> Bool {
        guard part.hasSuffix(",") == withComma else { return false }
        let name = WireText.lowercase(withComma ? part.dropLast() : part)
        let days = [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ]
        return days.contains { $0 == name || $0.prefix(3) == name }
    }

    private static func isGMT(_ part: Substring) -> Bool {
        WireText.lowercase(part) == "gmt"
    }

    private static func number(_ part: Substring, digits: Int) -> Int? {
        let isNumber = part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber && part.utf8.count == digits ? Int(part) : nil
    }
}
