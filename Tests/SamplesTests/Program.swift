import Foundation

/// A program of this package, run to its end.
struct Program {
    /// What it printed to standard output, line by line.
    let lines: [String]

    /// What it printed to standard error.
    let errors: String

    /// Its exit status.
    let status: Int32

    /// Runs the program `name` that was built beside the tests, with little on its standard input.
    ///
    /// - Throws: When it can't be started.
    init(
        _ name: String,
        _ arguments: [String] = [],
        home: URL? = nil,
        environment: [String: String] = [:],
        input: String = ""
    ) async throws {
        let process = Process()
        process.executableURL = Self.url(of: name)
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        // Under the address sanitizer: what is alive when a program ends is no leak. (The leak checker
        // can't see the records that Swift keeps for weak references.)
        variables["ASAN_OPTIONS"] = "detect_leaks=0"
        variables.merge(environment) { $1 }
        if let home {
            variables["HOME"] = home.path
            variables["CFFIXED_USER_HOME"] = home.path
        }
        process.environment = variables
        let output = Pipe()
        let errors = Pipe()
        let words = Pipe()
        try words.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try words.fileHandleForWriting.close()
        process.standardInput = words
        process.standardOutput = output
        process.standardError = errors
        status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        // Little enough to lie in the pipe until now.
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(),
            as: UTF8.self
        )
        lines = text.split(separator: "\n").map(String.init)
        self.errors = String(
            decoding: try errors.fileHandleForReading.readToEnd() ?? Data(),
            as: UTF8.self
        )
    }

    /// The whole numbers in a line of output.
    static func numbers(in line: String) -> [Int] {
        line.split { !$0.isNumber }.compactMap { Int($0) }
    }

    /// Where a program lies: beside the test bundle, wherever the test runner itself is.
    static func url(of name: String) -> URL {
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        let tests = bundle.map { URL(fileURLWithPath: $0) } ?? runner
        return tests.deletingLastPathComponent().appendingPathComponent(name)
    }
}
