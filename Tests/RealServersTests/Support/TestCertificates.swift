import Foundation

/// A certificate authority made on the fly, and certificates that it signs.
struct TestCertificates {
    /// The folder that everything lies in.
    let folder: URL

    /// The PEM file of the authority.
    var authority: URL { folder.appendingPathComponent("ca.pem") }

    /// Makes the authority with the `openssl` command.
    init(in folder: URL) throws {
        self.folder = folder
        try Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
                "-subj", "/CN=Test authority", "-addext", "keyUsage=critical,keyCertSign",
            ],
            in: folder
        )
    }

    /// Makes a certificate that nobody signs but itself.
    ///
    /// Returns the paths of the certificate and of its key.
    func selfSigned(_ name: String, for names: String) throws -> (pem: URL, key: URL) {
        try Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-keyout", "\(name).key", "-out", "\(name).pem", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(names)",
            ],
            in: folder
        )
        return (
            folder.appendingPathComponent("\(name).pem"),
            folder.appendingPathComponent("\(name).key")
        )
    }

    /// Signs a certificate for names such as `IP:127.0.0.1` and `DNS:localhost`.
    ///
    /// Returns the paths of the certificate and of its key.
    func sign(_ name: String, for names: String, days: Int = 2) throws -> (pem: URL, key: URL) {
        let extensions = folder.appendingPathComponent("\(name).ext")
        try Data("subjectAltName=\(names)\n".utf8).write(to: extensions)
        try Tool.run(
            "openssl",
            [
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)",
            ],
            in: folder
        )
        try Tool.run(
            "openssl",
            [
                "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                "-CAcreateserial", "-out", "\(name).pem", "-days", "\(days)",
                "-extfile", extensions.path,
            ],
            in: folder
        )
        return (
            folder.appendingPathComponent("\(name).pem"),
            folder.appendingPathComponent("\(name).key")
        )
    }
}
