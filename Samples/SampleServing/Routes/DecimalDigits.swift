extension StringProtocol {
    /// Whether there is nothing but the digits 0 to 9.
    var isAllDecimalDigits: Bool {
        utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
