/// What a sample was called with: options, and perhaps the URL to load.
public struct SampleArguments: Sendable {
    /// The URL, when one was given.
    public private(set) var url: String?

    private var values: [String: String] = [:]

    /// Reads the command line.
    ///
    /// Ends the program with the usage text on `--help`, and with status 64 on what it does not know.
    ///
    /// - Parameters:
    ///   - usage: What the sample does and how it is called.
    ///   - flags: Options without a value, such as `--poll`.
    ///   - options: Options with a value, such as `--size`.
    public init(usage: String, flags: [String] = [], options: [String] = []) {
        var rest = CommandLine.arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument == "--help" {
                print(usage)
                Terminal.end()
            } else if flags.contains(argument) {
                values[argument] = ""
            } else if options.contains(argument), let value = rest.popFirst() {
                values[argument] = value
            } else if !argument.hasPrefix("-"), url == nil {
                url = argument
            } else {
                Terminal.fail(
                    "\(argument): no such option, or its value is missing.\n\(usage)",
                    status: 64
                )
            }
        }
    }

    /// Whether a flag was given.
    public func has(_ flag: String) -> Bool { values[flag] != nil }

    /// The value of an option.
    public func value(_ option: String) -> String? { values[option] }

    /// The number of an option; the program ends with status 64 when it is none.
    public func number(_ option: String) -> Int64? {
        guard let text = values[option] else { return nil }
        guard let number = Int64(text), number >= 0 else {
            Terminal.fail("\(option) wants a number of bytes, such as 1000000.", status: 64)
        }
        return number
    }
}
