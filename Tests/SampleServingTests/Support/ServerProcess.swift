import Foundation

/// The program SampleServer, running; it ends when this goes away.
final class ServerProcess {
    let port: UInt16
    /// What it printed before it served.
    let greeting: String

    private let process = Process()
    private let input = Pipe()

    init() throws {
        process.executableURL = URL(filePath: Program.built("SampleServer"))
        process.arguments = ["--until-stdin-closes"]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        greeting = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let digits = greeting.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
        port = UInt16(digits) ?? 0
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Closes its standard input and returns its exit status.
    func closeInput() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// How many sockets it has open.
    ///
    /// Other descriptors do not count: libdispatch opens some of its own when it sees fit.
    func countSockets() throws -> Int {
        let folder = "/proc/\(process.processIdentifier)/fd"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let targets = names.map {
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
        }
        return targets.count { $0?.hasPrefix("socket:") == true }
    }
}
