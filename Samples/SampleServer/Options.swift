/// What the command line asks for.
struct Options {
    /// What to print for `--help`, and after a wrong option.
    static let usage = """
        usage: SampleServer [--port N] [--until-stdin-closes]

        Serves files made on the fly, and answers that are slow, redirected or broken, on 127.0.0.1.
        GET / lists the routes.

          --port N               listen on port N; without it, on any free port
          --until-stdin-closes   end when the standard input closes, as when the parent ends
          --help                 print this
        """

    /// The port to listen on; 0 stands for any free one.
    var port: UInt16 = 0
    var endsWithInput = false
    var wantsHelp = false

    /// Reads the arguments behind the program's name.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--port": port = try Self.port(rest.next())
            case "--until-stdin-closes": endsWithInput = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(sentence: "there is no option \(argument)")
            }
        }
    }

    private static func port(_ text: String?) throws(UsageError) -> UInt16 {
        guard let text else { throw UsageError(sentence: "--port needs a number behind it") }
        guard let port = UInt16(text) else {
            throw UsageError(sentence: "--port takes a number from 0 to 65535, not \(text)")
        }
        return port
    }
}
