import Foundation

/// A program that was run to its end.
struct Program: Sendable {
    let status: Int32
    let output: Data
    let errorOutput: Data

    /// Runs a program, found by its path or in the usual folders, and gathers what it writes.
    static func run(_ name: String, _ arguments: [String]) async throws -> Program {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own, for it blocks until the program has ended.
            Thread.detachNewThread {
                continuation.resume(with: Result { try runToEnd(name, arguments) })
            }
        }
    }

    /// The executable of this package with this name, next to the tests.
    static func built(_ name: String) -> String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: name).path
    }

    private static func runToEnd(_ name: String, _ arguments: [String]) throws -> Program {
        let process = Process()
        process.executableURL = URL(filePath: name.hasPrefix("/") ? name : "/usr/bin/" + name)
        process.arguments = arguments
        let output = try TemporaryFile()
        let errorOutput = try TemporaryFile()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.handle
        process.standardError = errorOutput.handle
        try process.run()
        process.waitUntilExit()
        return Program(
            status: process.terminationStatus,
            output: try output.contents(),
            errorOutput: try errorOutput.contents()
        )
    }
}
