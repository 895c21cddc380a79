import Foundation
import NetworkingTestKit

/// Bodies in gzip.
enum Gzip {
    private static let head: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3]

    /// `hello`.
    static let hello: [UInt8] =
        head + [203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0]

    /// Nothing.
    static let nothing: [UInt8] = head + [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    /// A hundred thousand times the letter A: 133 bytes.
    static let many: [UInt8] =
        head + [237, 193, 49, 1, 0, 0, 0, 194, 160, 108, 235, 95, 202, 26, 30, 64, 1]
        + [UInt8](repeating: 0, count: 96) + [175, 6, 215, 159, 138, 5, 160, 134, 1, 0]

    /// How many zeros there are in ``zeros``.
    static let zeroCount = 4 << 20

    /// Four million zeros, about: a member of 4 KiB, of which several make any size.
    static let zeros: [UInt8] =
        head + [237, 193, 1, 1, 0, 0, 0, 130, 32, 255, 175, 110, 72, 64, 1]
        + [UInt8](repeating: 0, count: 4063) + [124, 27, 106, 64, 71, 17, 0, 0, 64, 0]

    /// The same member several times.
    static func zeros(members: Int) -> [UInt8] {
        Array([[UInt8]](repeating: zeros, count: members).joined())
    }

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
