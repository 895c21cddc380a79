import Foundation

/// Runs commands in the package's folder.
enum Shell {
    /// The exit status of a command.
    static func status(_ command: String, _ arguments: [String]) throws -> Int32 {
        try run(command, arguments).status
    }

    /// The exit status of a command, and what it said on standard error.
    static func run(
        _ command: String,
        _ arguments: [String]
    ) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.currentDirectoryURL = Page.package
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }
}
