import Foundation

/// A command of the system, run to its end.
enum Tool {
    /// What went wrong: the command, its status and what it said.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs `command` in `folder`.
    ///
    /// - Throws: ``Failure`` when the command is missing or does not end with status 0.
    static func run(_ command: String, _ arguments: [String], in folder: URL) throws {
        let errors = Pipe()
        let process = try start(command, arguments, in: folder, errors: errors)
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "\(command) ended with \(process.terminationStatus): "
                    + "\(String(decoding: said, as: UTF8.self))\n"
                    + "make test installs what the tests need"
            )
        }
    }

    /// Starts a server in `folder` and returns when it says `sign` on its standard error.
    ///
    /// - Throws: ``Failure`` when it ends before.
    static func serve(
        _ command: String,
        _ arguments: [String],
        in folder: URL,
        sign: String
    ) throws -> Process {
        let errors = Pipe()
        let process = try start(command, arguments, in: folder, errors: errors)
        var said = ""
        while !said.contains(sign) {
            let bytes = errors.fileHandleForReading.availableData
            guard !bytes.isEmpty else {
                throw Failure(
                    description: "\(command) does not serve: \(said)\n"
                        + "make test installs what the tests need"
                )
            }
            said += String(decoding: bytes, as: UTF8.self)
        }
        return process
    }

    /// Starts a server that says nothing, and returns when its port is open.
    ///
    /// - Throws: ``Failure`` when it ends before.
    static func serve(
        _ command: String,
        _ arguments: [String],
        in folder: URL,
        port: UInt16
    ) throws -> Process {
        let errors = Pipe()
        let process = try start(command, arguments, in: folder, errors: errors)
        while !FreePorts.isOpen(port) {
            guard process.isRunning else {
                let said = try errors.fileHandleForReading.readToEnd() ?? Data()
                throw Failure(
                    description: "\(command) does not serve: "
                        + "\(String(decoding: said, as: UTF8.self))\n"
                        + "make test installs what the tests need"
                )
            }
            // The kernel does not tell when somebody listens.
            usleep(10_000)
        }
        return process
    }

    private static func start(
        _ command: String,
        _ arguments: [String],
        in folder: URL,
        errors: Pipe
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.currentDirectoryURL = folder
        // Debian keeps servers in /usr/sbin, which is not on everybody's path.
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        process.environment = ProcessInfo.processInfo.environment
            .merging(["PATH": path + ":/usr/sbin:/sbin"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        return process
    }
}
