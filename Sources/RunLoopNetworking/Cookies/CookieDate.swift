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
        guard let time, let day, let month, let year, year >= 1601 else { return nil }
        return GregorianCalendar.seconds(year: year, month: month, day: day, time: time)
            .map { Date(timeIntervalSince1970: Double($0)) }
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

    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        GregorianCalendar.month(named: String(decoding: token.prefix(3), as: UTF8.self))
    }
}
