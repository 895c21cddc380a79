import Foundation

/// nghttpd from Debian on a free port of the loopback: HTTP/2 with pushes, trailers and an echo.
final class NGHTTPServer {
    /// Where it serves.
    let url: URL

    private let folder: URL
    private let process: Process

    /// The authority that signed its certificate.
    let certificates: TestCertificates

    /// Starts the server, with these files; each call starts one of its own.
    init(_ files: [String: Data]) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("nghttpd-\(UUID().uuidString)", isDirectory: true)
        let served = folder.appendingPathComponent("files", isDirectory: true)
        try FileManager.default.createDirectory(at: served, withIntermediateDirectories: true)
        for (name, bytes) in files {
            try bytes.write(to: served.appendingPathComponent(name))
        }
        certificates = try TestCertificates(in: folder)
        let pair = try certificates.sign("server", for: "IP:127.0.0.1")
        let port = FreePorts.take(1)[0]
        url = URL(string: "https://127.0.0.1:\(port)/") ?? folder
        process = try Tool.serve(
            // The threads that tests run on block all signals, and the server would never end.
            "--default-signal",
            [
                "nghttpd", "-a", "127.0.0.1", "-d", served.path, "--trailer", "x-sum: 1",
                "--push=/pushing=/pushed", "--echo-upload", "\(port)", pair.key.path, pair.pem.path,
            ],
            in: folder,
            port: port
        )
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
