/// Numbers as header fields have them: digits alone.
enum DecimalNumber {
    /// Reads digits; nil if there is none or anything else, or if the number is greater than `Int64.max`.
    ///
    /// `Int64` itself would take a sign.
    static func parse(_ digits: some Collection<UInt8>) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            let (tens, isTooGreat) = number.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooGreat) = tens.addingReportingOverflow(
                Int64(digit - UInt8(ascii: "0"))
            )
            guard !isTooGreat, !isStillTooGreat else { return nil }
            number = sum
        }
        return number
    }
}
