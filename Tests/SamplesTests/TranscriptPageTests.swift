import Foundation
import NetworkingTestKit
import Testing

/// The commands of Docs/Transcript.md, run as they are printed, but for the server's address.
@Suite("The page about transcript", .timeLimit(.minutes(2)))
struct TranscriptPageTests {
    private static let page: String = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let url = package.appendingPathComponent("Docs/Transcript.md")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }()

    /// The lines of the page that call the program, a prompt taken off.
    private static let commands = page.split(separator: "\n")
        .filter { $0.hasPrefix("    ") }
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .map { $0.hasPrefix("$ ") ? String($0.dropFirst(2)) : $0 }
        .filter { $0.hasPrefix("transcript ") || $0.hasPrefix("swift run -c release transcript") }

    @Test("The page shows commands")
    func isThere() {
        #expect(Self.commands.count >= 5)
    }

    @Test("Each command on the page does what it should", arguments: commands)
    func runs(command: String) async throws {
        let answer = ScriptStep.respond(200, ["Content-Type: text/plain"], body: "ABCD")
        let server = try ScriptedServer([.forever([.waitForRequest, answer])])
        let line =
            command
            .replacingOccurrences(of: "swift run -c release transcript", with: "transcript")
            .replacingOccurrences(of: "http://127.0.0.1:8080/f", with: "\(server.url("/f"))")
            .replacingOccurrences(of: "URL", with: "\(server.url("/f"))")
        let shell = try await Shell(line)
        // The example of a failure is the one that goes to port 1.
        #expect(shell.status == (command.contains(":1/x") ? 1 : 0), "\(shell.errors)")
        #expect(!shell.output.isEmpty && shell.errors.isEmpty)
    }

    @Test("The request that the page shows gets the answer that it shows")
    func jsonLines() async throws {
        let request = try #require(
            Self.page.split(separator: "\n").first { $0.hasPrefix(#"    {"url":"#) }
        )
        let answer = try #require(
            Self.page.split(separator: "\n").first { $0.hasPrefix(#"    {"status":"#) }
        )
        let step = ScriptStep.send(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\ntext"
        )
        let server = try ScriptedServer([.waitForRequest, step, .finish])
        let line = request.trimmingCharacters(in: .whitespaces)
            .replacingOccurrences(of: "http://127.0.0.1:8080/f", with: "\(server.url("/f"))")
        let program = try await Program("transcript", ["--json-lines"], input: line + "\n")
        #expect(program.lines == [answer.trimmingCharacters(in: .whitespaces)])
    }
}

/// A line of a shell that finds the programs of this package, run to its end.
private struct Shell {
    let output: String
    let errors: String
    let status: Int32

    init(_ line: String) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-o", "pipefail", "-c", line]
        var variables = ProcessInfo.processInfo.environment
        let programs = Program.url(of: "transcript").deletingLastPathComponent().path
        variables["PATH"] = "\(programs):\(variables["PATH"] ?? "/usr/bin:/bin")"
        variables["ASAN_OPTIONS"] = "detect_leaks=0"
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        // Little enough to lie in the pipes until now.
        self.output = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(),
            as: UTF8.self
        )
        self.errors = String(
            decoding: try errors.fileHandleForReading.readToEnd() ?? Data(),
            as: UTF8.self
        )
    }
}
