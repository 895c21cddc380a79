/// A file's size as a path says it: `10`, `5kB`, `10MB`, `700MiB`.
enum FileSize: Equatable {
    case bytes(Int64)
    /// It is a size, but beyond what a 64-bit number holds.
    case beyondInt64
    case malformed

    private static let units: [String: Int64] = [
        "": 1, "B": 1,
        "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
        "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]

    /// Reads a size.
    init(_ text: String) {
        let digits = text.prefix { String($0).isAllDecimalDigits }
        guard !digits.isEmpty, let unit = Self.units[String(text.dropFirst(digits.count))] else {
            self = .malformed
            return
        }
        guard let product = Int64(digits)?.multipliedReportingOverflow(by: unit),
            !product.overflow
        else {
            self = .beyondInt64
            return
        }
        self = .bytes(product.partialValue)
    }
}
