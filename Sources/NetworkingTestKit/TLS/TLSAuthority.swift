private import Foundation

/// A certificate authority of a test's own, made on the fly.
///
/// ```swift
/// let authority = try TLSAuthority()
/// let server = try ScriptedServer(
///     [.waitForRequest, .respond(body: "abc")],
///     tls: authority.identity(for: ["127.0.0.1"])
/// )
/// loop.connectionSettings.certificateAuthorityFile = authority.certificateFile
/// ```
///
/// Nobody trusts it unless told to. Any thread.
public final class TLSAuthority: Sendable {
    /// The path of a PEM file with the authority's certificate, for whoever is to trust it.
    ///
    /// The file is removed with the last reference to the authority.
    public let certificateFile: String

    let certificate: Certificate

    /// Makes an authority, and writes its certificate into a temporary file.
    ///
    /// - Throws: An error that says what could not be made or written.
    public init(name: String = "Authority of a test") throws {
        let day = TLSIdentity.day
        certificate = try Certificate(
            .init(
                name: name,
                validity: -30 * day...30 * day,
                extensions: [
                    (Certificate.constraintsExtension, "critical,CA:TRUE"),
                    (Certificate.usageExtension, "critical,keyCertSign"),
                    (Certificate.keyExtension, "hash"),
                ]
            )
        )
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("authority-\(UUID().uuidString).pem")
        try Data(certificate.pem).write(to: file)
        certificateFile = file.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: certificateFile)
    }

    /// Signs a certificate for a server.
    ///
    /// - Parameters:
    ///   - names: The host names and addresses that the server has; another one makes clients refuse.
    ///   - validity: Whether the certificate counts today.
    ///   - protocols: What the server speaks by ALPN, the best first, such as `h2`; with none the
    ///     client decides.
    /// - Returns: The certificate with its key.
    /// - Throws: An error that says what could not be made.
    public func identity(
        for names: [String] = ["127.0.0.1", "::1", "localhost"],
        validity: TLSIdentity.Validity = .valid,
        protocols: [String] = []
    ) throws -> TLSIdentity {
        TLSIdentity(
            try TLSIdentity.certificate(for: names, validity, issuer: certificate),
            TLSIdentity.Settings(protocols: protocols)
        )
    }
}
