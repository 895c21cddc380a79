/// Reads a command line word by word: `--name value`, `--name=value`, and `--` before the last words.
struct ArgumentReader {
    enum Word: Equatable {
        case option(String)
        case operand(String)
    }

    private var words: ArraySlice<String>
    /// What stands behind the equals sign of the option that was read last.
    private var attached: (option: String, value: String)?
    private var optionsAreOver = false

    init(_ words: some Sequence<String>) {
        self.words = Array(words)[...]
    }

    /// The next word; nil at the end.
    mutating func next() throws(UsageError) -> Word? {
        if let attached {
            throw UsageError("\(attached.option) takes no value")
        }
        guard let word = words.popFirst() else { return nil }
        guard !optionsAreOver, word.hasPrefix("-"), word != "-" else { return .operand(word) }
        if word == "--" {
            optionsAreOver = true
            return try next()
        }
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else {
            return .option(word)
        }
        let option = String(word[..<sign])
        attached = (option, String(word[word.index(after: sign)...]))
        return .option(option)
    }

    /// The value of the option that was read last.
    mutating func value(of option: String) throws(UsageError) -> String {
        if let attached {
            self.attached = nil
            return attached.value
        }
        guard let value = words.popFirst() else {
            throw UsageError("\(option) needs a value behind it")
        }
        return value
    }
}
