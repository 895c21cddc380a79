/// The components of a path behind the route's name, read as what the route takes them for.
struct PathArguments {
    let values: [String]
    /// How the route is written, for the sentences.
    let form: String

    /// How many there are.
    var count: Int { values.count }

    /// The text at `index`.
    func text(_ index: Int) -> String { values[index] }

    /// The size at `index`, in bytes.
    func size(_ index: Int) throws(Refusal) -> Int64 {
        switch FileSize(values[index]) {
        case .bytes(let count):
            return count
        case .beyondInt64:
            throw Refusal(
                status: 400,
                sentence: "\(values[index]) is too large: a size is at most \(Int64.max) bytes"
            )
        case .malformed:
            throw malformed(index, "a size, as in 10, 5kB, 10MB or 700MiB")
        }
    }

    /// The number at `index`, which must lie in `range`.
    func number(_ index: Int, in range: ClosedRange<Int64>) throws(Refusal) -> Int64 {
        let text = values[index]
        guard !text.isEmpty, text.isAllDecimalDigits else {
            throw malformed(index, "a number")
        }
        guard let number = Int64(text), range.contains(number) else {
            throw Refusal(
                status: 400,
                sentence: "\(text) is out of range: \(form) takes "
                    + "\(range.lowerBound) to \(range.upperBound) there"
            )
        }
        return number
    }

    private func malformed(_ index: Int, _ right: String) -> Refusal {
        Refusal(
            status: 404,
            sentence: "\"\(values[index])\" is not \(right); the form is \(form)"
        )
    }
}
