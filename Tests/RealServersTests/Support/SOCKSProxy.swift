import Foundation

/// microsocks from Debian on a free port of the loopback: a SOCKS 5 proxy for one user.
final class SOCKSProxy {
    /// Who may use it: `me`, with this password.
    static let password = "pw"

    let port: UInt16

    private let process: Process

    /// Starts the proxy; each call starts one of its own.
    init() throws {
        port = FreePorts.take(1)[0]
        process = try Tool.serve(
            // The threads that tests run on block all signals, and the server would never end.
            "--default-signal",
            ["microsocks", "-i", "127.0.0.1", "-p", "\(port)", "-u", "me", "-P", Self.password],
            in: FileManager.default.temporaryDirectory,
            port: port
        )
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}
