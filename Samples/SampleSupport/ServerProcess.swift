private import EventLoops
public import Foundation
private import FoundationNetworking
private import RunLoopNetworking

/// The sample server in a process of its own: it ends with this one.
public final class ServerProcess {
    /// Where it listens.
    public let url: URL

    private let process = Process()
    /// The server ends when this pipe closes, which happens when this process ends, however it does.
    private let lifeline = Pipe()

    /// Starts the program `SampleServer` that lies beside this one, and waits until it listens.
    ///
    /// Ends this program when there is none.
    public init() {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = own.deletingLastPathComponent().appendingPathComponent("SampleServer")
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["--until-stdin-closes"]
        process.standardInput = lifeline
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            Terminal.fail(
                "\(program.path) can't be started; build it: swift build --product SampleServer"
            )
        }
        var line = ""
        while !line.contains("\n") {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else {
                Terminal.fail("The sample server ended before it listened.")
            }
            line += String(decoding: bytes, as: UTF8.self)
        }
        let address = line.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
        guard let url = URL(string: address) else {
            Terminal.fail("The sample server said: \(line)")
        }
        self.url = url
        // It is on this machine, whatever the environment says about proxies.
        EventLoop.shared.connectionSettings.proxy = .direct
    }

    deinit {
        try? lifeline.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The SHA-256 of a file of so many bytes as the server makes it, in hexadecimal.
    public func checksum(bytes: Int64) -> String? {
        let request = URLRequest(url: url.appendingPathComponent("checksum/\(bytes)"))
        let body = try? NSURLConnection.sendSynchronousRequest(request, returning: nil)
        return body.flatMap { String(decoding: $0, as: UTF8.self).split(separator: " ").first }
            .map(String.init)
    }

    /// Compares a file with the server's checksum for a file of so many bytes.
    public func check(_ path: String, bytes: Int64) -> String {
        guard let expected = checksum(bytes: bytes) else {
            return "sha256 unknown: the server does not tell"
        }
        return FileDigest.sha256(path) == expected ? "sha256 ok" : "sha256 WRONG"
    }
}
