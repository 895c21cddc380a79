import Foundation

/// nginx from Debian on a free port of the loopback, with files of its own.
final class Nginx {
    /// One server more.
    struct Server {
        /// Its directives.
        let text: String
        var isHTTP2 = true
    }

    /// Where plain HTTP/1.1 is served.
    let url: URL

    /// Where TLS with HTTP/2 is served.
    let secureURL: URL

    /// Where TLS without HTTP/2 is served.
    let secureHTTP1URL: URL

    /// Where TLS is served with a certificate for another name.
    let otherNameURL: URL

    /// Where the servers are that were asked for, in their order.
    let moreURLs: [URL]

    /// The authority that signed the certificates.
    let certificates: TestCertificates

    private let folder: URL
    private let process: Process

    /// Starts the server; each call starts one of its own.
    ///
    /// - Parameters:
    ///   - locations: More of its configuration, for all ports.
    ///   - servers: More servers, each with a port of its own and what all have in common.
    /// - Throws: ``Tool/Failure`` when it does not serve.
    init(
        locations: String = "",
        servers: (TestCertificates) throws -> [Server] = { _ in [] }
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("nginx-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("files"),
            withIntermediateDirectories: true
        )
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("put"),
            withIntermediateDirectories: false,
            // nginx that is started by root serves as somebody else.
            attributes: [.posixPermissions: 0o777]
        )
        certificates = try TestCertificates(in: folder)
        let right = try certificates.sign("right", for: "IP:127.0.0.1,DNS:localhost")
        let other = try certificates.sign("other", for: "DNS:elsewhere.test")
        let more = try servers(certificates)
        let ports = FreePorts.take(4 + more.count)
        url = Self.url("http", ports[0])
        secureURL = Self.url("https", ports[1])
        secureHTTP1URL = Self.url("https", ports[2])
        otherNameURL = Self.url("https", ports[3])
        moreURLs = ports[4...].map { Self.url("https", $0) }
        try Data(Self.configuration(ports, right, other, locations, more).utf8)
            .write(to: folder.appendingPathComponent("nginx.conf"))
        // It says so when the ports are open and somebody serves them.
        process = try Tool.serve(
            "nginx",
            ["-p", folder.path, "-c", "nginx.conf"],
            in: folder,
            sign: "start worker process "
        )
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Puts a file on the server; its name may begin with folders.
    func put(_ name: String, _ bytes: Data) throws {
        let file = folder.appendingPathComponent("files").appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try bytes.write(to: file)
    }

    /// What was put on the server by a request.
    func received(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent("put").appendingPathComponent(name))
    }

    /// What was asked for below `/fresh/` and `/stale/`, a line for each request that is over.
    ///
    /// A request is over when the next one on its network connection is answered.
    var accessLog: [String] {
        get throws {
            let file = folder.appendingPathComponent("access.log")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map(String.init)
        }
    }

    private static func url(_ scheme: String, _ port: UInt16) -> URL {
        var components = URLComponents()
        components.scheme = scheme
        components.host = "127.0.0.1"
        components.port = Int(port)
        components.path = "/"
        return components.url ?? URL(fileURLWithPath: "/")
    }

    private static func configuration(
        _ ports: [UInt16],
        _ right: (pem: URL, key: URL),
        _ other: (pem: URL, key: URL),
        _ locations: String,
        _ more: [Server]
    ) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "    \($0)_temp_path temp_\($0);\n" }.joined()
        let common = """
                root files;
                default_type application/octet-stream;
                add_header X-Protocol $server_protocol always;
                add_header X-Connection $connection always;
                add_header X-Accepted $http_accept_encoding always;
                location = /moved { return 302 /small.bin; }
                location /limited/ { alias put/; dav_methods PUT; client_max_body_size 1m; }
                location /put/ { alias put/; dav_methods PUT; client_max_body_size 0; }
                location /moved-put/ { return 307 /put/moved.bin; }
                location /slow/ { alias files/; limit_rate 100k; }
                location /fresh/ { alias files/; expires 1h; access_log access.log asked; }
                location /stale/ { alias files/; expires epoch; access_log access.log asked; }
            \(locations)
            """
        func secure(_ port: UInt16, _ http2: String, _ pair: (pem: URL, key: URL)) -> String {
            """
            server {
                listen 127.0.0.1:\(port) ssl\(http2);
                ssl_certificate \(pair.pem.path);
                ssl_certificate_key \(pair.key.path);
            \(common)
            }
            """
        }
        let servers = zip(ports[4...], more).map { port, server in
            let http2 = server.isHTTP2 ? " http2" : ""
            return "server { listen 127.0.0.1:\(port) ssl\(http2); \(server.text)\n\(common) }\n"
        }
        return """
            worker_processes 1;
            pid nginx.pid;
            daemon off;
            error_log stderr notice;
            events { worker_connections 1024; }
            http {
                access_log off;
                log_format asked '$request_method $uri $status';
                sendfile on;
                gzip on;
                gzip_types text/plain;
                gzip_min_length 1;
                types { text/plain txt; video/mp4 mp4; }
            \(temporary)
                server {
                    listen 127.0.0.1:\(ports[0]);
            \(common)
                }
            \(secure(ports[1], " http2", right))
            \(secure(ports[2], "", right))
            \(secure(ports[3], "", other))
            \(servers.joined())
            }
            """
    }
}
