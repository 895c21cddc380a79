import Foundation
import NetworkingTestKit

/// What the gzip of this machine makes.
enum Gzip {
    /// So many zeros, coded: about a thousandth of that.
    static func zeros(count: Int) async throws -> [UInt8] {
        try await onThread {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "head -c \(count) /dev/zero | gzip -9"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let coded = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Array(coded)
        }
    }
}
