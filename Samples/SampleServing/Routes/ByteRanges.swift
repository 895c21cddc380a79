/// What a Range header asks for, of a file of a known size (RFC 9110, 14.2).
enum ByteRanges: Equatable {
    /// No range, none that can be read, or more than a server should go along with: the whole file.
    case whole
    /// All of the ranges lie beyond the end of the file.
    case unsatisfiable
    /// The ranges that lie in the file, cut to it, in the order in which they were asked for.
    case parts([Range<Int64>])

    /// As many ranges as a request may ask for.
    private static let mostParts = 64

    /// As many bytes as all ranges of a request may have together: what is left of Int64 is for the
    /// lines between them.
    private static let mostBytes = Int64.max - 1 << 20

    /// Reads a Range header.
    init(_ header: String?, size: Int64) {
        guard let header, let specifications = Self.specifications(in: header) else {
            self = .whole
            return
        }
        let parts = specifications.compactMap { $0.range(in: size) }
        // Several ranges may overlap, and have more bytes than the file.
        var room = Self.mostBytes
        for part in parts where parts.count > 1 && room >= 0 {
            room -= part.upperBound - part.lowerBound
        }
        if parts.isEmpty {
            self = .unsatisfiable
        } else if parts.count > Self.mostParts || room < 0 {
            self = .whole
        } else {
            self = .parts(parts)
        }
    }
}

// MARK: - Reading

extension ByteRanges {
    /// One range as the client wrote it.
    private enum Specification {
        case from(Int64, through: Int64)
        case last(Int64)

        /// Reads `a-b`, `a-` or `-n`; nil when it is none of these.
        init?(_ text: Substring) {
            let sides = text.split(separator: "-", omittingEmptySubsequences: false)
            guard sides.count == 2, sides.allSatisfy(\.isAllDecimalDigits) else {
                return nil
            }
            // A number that is too large for Int64 lies beyond the end of any file.
            let numbers = sides.map { $0.isEmpty ? nil : Int64($0) ?? .max }
            switch (numbers[0], numbers[1]) {
            case (nil, nil): return nil
            case (nil, let count?): self = .last(count)
            case (let first?, nil): self = .from(first, through: .max)
            case (let first?, let last?):
                guard first <= last else { return nil }
                self = .from(first, through: last)
            }
        }

        /// The part of a file that it means; nil when there is none.
        func range(in size: Int64) -> Range<Int64>? {
            switch self {
            case .from(let first, let last):
                return first < size ? first..<min(last, size - 1) + 1 : nil
            case .last(let count):
                return min(count, size) > 0 ? size - min(count, size)..<size : nil
            }
        }
    }

    private static func specifications(in header: String) -> [Specification]? {
        let sides = header.split(separator: "=", maxSplits: 1)
        guard sides.count == 2, sides[0].lowercased() == "bytes" else { return nil }
        var specifications: [Specification] = []
        for text in sides[1].split(separator: ",") {
            let text = text.drop { " \t".contains($0) }
            let trimmed = text.prefix { !" \t".contains($0) }
            guard text.dropFirst(trimmed.count).allSatisfy({ " \t".contains($0) }),
                let specification = Specification(trimmed)
            else { return nil }
            specifications.append(specification)
        }
        return specifications.isEmpty ? nil : specifications
    }
}
