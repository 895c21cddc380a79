/// The calendar that the dates of HTTP are written in.
enum GregorianCalendar {
    /// Returns the seconds from 1970-01-01 00:00:00 UTC to a moment; nil if there is no such moment.
    static func seconds(
        year: Int,
        month: Int,
        day: Int,
        time: (hour: Int, minute: Int, second: Int)
    ) -> Int? {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...length(ofMonth: month, year: year)).contains(day),
            (0...23).contains(time.hour), (0...59).contains(time.minute),
            (0...59).contains(time.second)
        else { return nil }
        let days = days(year: year, month: month, day: day)
        return days * 86_400 + (time.hour * 60 + time.minute) * 60 + time.second
    }

    /// Returns the number of a month that is written with three letters, whatever their case.
    static func month(named name: some StringProtocol) -> Int? {
        let name = WireText.lowercase(name)
        return months.firstIndex(of: name).map { $0 + 1 }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func length(ofMonth month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// Counts the days from 1970-01-01, in years that begin in March: the leap day is the last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
    }
}
