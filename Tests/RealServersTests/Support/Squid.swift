import Foundation

/// Squid from Debian on a free port of the loopback: an HTTP proxy for one user, and another over TLS.
final class Squid {
    /// Who may use it: `me`, with this password.
    static let password = "p%:w"

    /// Where it speaks HTTP in the clear, and over TLS.
    let port: UInt16
    let securePort: UInt16

    private let folder: URL
    private let process: Process

    /// Starts the proxy; each call starts one of its own.
    init(_ certificates: TestCertificates) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("squid-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pair = try certificates.sign("squid", for: "IP:127.0.0.1")
        let ports = FreePorts.take(2)
        (port, securePort) = (ports[0], ports[1])
        try Tool.run(
            "sh",
            [
                "-c",
                "printf 'me:%s\\n' \"$(openssl passwd -apr1 \"$0\")\" >users; chmod a+rX . users",
                Self.password,
            ],
            in: folder
        )
        try Data(Self.configuration(folder, ports, pair).utf8)
            .write(to: folder.appendingPathComponent("squid.conf"))
        process = try Tool.serve(
            // The threads that tests run on block all signals, and the server would never end.
            "--default-signal",
            ["squid", "-N", "-f", "squid.conf"],
            in: folder,
            port: securePort
        )
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(
        _ folder: URL,
        _ ports: [UInt16],
        _ pair: (pem: URL, key: URL)
    ) -> String {
        """
        http_port 127.0.0.1:\(ports[0])
        https_port 127.0.0.1:\(ports[1]) tls-cert=\(pair.pem.path) tls-key=\(pair.key.path)
        visible_hostname localhost
        pid_filename none
        cache_log /dev/null
        access_log none
        netdb_filename none
        cache deny all
        shutdown_lifetime 0 seconds
        auth_param basic program /usr/lib/squid/basic_ncsa_auth \(folder.path)/users
        auth_param basic children 1 startup=1
        auth_param basic realm Proxy
        acl known proxy_auth REQUIRED
        http_access allow known
        http_access deny all

        """
    }
}
