internal import Foundation

/// Reads the date of a cookie's Expires, which servers write in many ways.
///
/// - SeeAlso: RFC 6265 section 5.1.1.
struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Returns the moment that a text names; nil when it names none.
    static func parse(_ text: ArraySlice<UInt8>) -> Date? {
        var date = CookieDate()
        for token in text.split(whereSeparator: isDelimiter) { date.take(token) }
        return date.moment
    }

    /// Each token is what it can be first, if that has not been found yet.
    private mutating func take(_ token: ArraySlice<UInt8>) {
        if time == nil, let time = Self.time(token) {
            self.time = time
        } else if day == nil, let day = Self.number(token, digits: 1...2) {
            self.day = day
        } else if month == nil, let month = Self.month(token) {
            self.month = month
        } else if year == nil, let year = Self.number(token, digits: 2...4) {
            switch year {
            case 70...99: self.year = 1900 + year
            case 0...69: self.year = 2000 + year
            default: self.year = year
            }
        }
    }

    private var moment: Date? {
        guard let time, let day, let month, let year, year >= 1601,
            (1...Self.length(ofMonth: month, year: year)).contains(day),
            time.hour <= 23, time.minute <= 59, time.second <= 59
        else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        let seconds = (time.hour * 60 + time.minute) * 60 + time.second
        return Date(timeIntervalSince1970: Double(days * 86_400 + seconds))
    }
}

// MARK: - Tokens

extension CookieDate {
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The number that a token begins with, if it has so many digits; anything may follow them.
    private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix(while: isDigit)
        guard digits.contains(number.count) else { return nil }
        return number.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func time(
        _ token: ArraySlice<UInt8>
    ) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit),
            let hour = number(parts[0], digits: 1...2),
            let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        let name = WireText.lowercase(String(decoding: token.prefix(3), as: UTF8.self))
        return months.firstIndex(of: name).map { $0 + 1 }
    }
}

// MARK: - The Gregorian calendar

extension CookieDate {
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
