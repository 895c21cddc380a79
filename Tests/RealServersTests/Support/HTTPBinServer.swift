import Foundation

/// httpbin from Debian, behind gunicorn, on a free port of the loopback.
final class HTTPBinServer: Sendable {
    /// The server of the suite that runs; see ``HTTPBinTrait``.
    @TaskLocal static var current: HTTPBinServer?

    private let port: UInt16

    private let process: Process

    /// The threads that tests run on block all signals; gunicorn inherits that and would never end.
    private static let launcher = """
        import signal
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        from gunicorn.app.wsgiapp import run
        run()
        """

    /// Starts the server; each call starts one of its own.
    ///
    /// - Throws: ``Tool/Failure`` when gunicorn or httpbin is missing, with a sentence that says so.
    init() throws {
        port = FreePorts.take(1)[0]
        // Debian's own Python by its path: another one does not find Debian's httpbin.
        process = try Tool.serve(
            "/usr/bin/python3",
            [
                "-c", Self.launcher, "--bind", "127.0.0.1:\(port)", "--preload",
                "--threads", "16", "--keep-alive", "60", "--graceful-timeout", "1", "httpbin:app",
            ],
            in: FileManager.default.temporaryDirectory,
            // httpbin is loaded before the port is opened, and the worker is made last.
            sign: "Booting worker with pid"
        )
    }

    deinit {
        // Not a SIGTERM, which would let requests that sleep come to their end.
        process.interrupt()
        process.waitUntilExit()
    }

    /// The URL of a path, whose special characters are escaped.
    func url(_ path: String, host: String = "127.0.0.1") throws -> URL {
        guard let url = URL(string: "http://\(host):\(port)/\(path)") else {
            throw Tool.Failure(description: "\(path) is no path of a URL")
        }
        return url
    }
}
