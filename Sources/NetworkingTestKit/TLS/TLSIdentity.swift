/// What a server shows and signs with in a TLS handshake: a certificate and its key.
///
/// One comes from ``TLSAuthority/identity(for:validity:protocols:)`` or from ``selfSigned(for:validity:)``. Any
/// thread.
public final class TLSIdentity: Sendable {
    /// Whether a certificate counts today.
    public enum Validity: Sendable, CaseIterable {
        /// It does, since yesterday and until tomorrow.
        case valid
        /// It did until yesterday.
        case expired
        /// It will from tomorrow on.
        case notYetValid
    }

    struct Settings {
        var clientAuthority: Certificate?
        var isClientCertificateRequired = true
        var isOld = false
        var protocols: [String] = []
    }

    let context: TLSContext
    private let certificate: Certificate

    static let day = 86_400

    init(_ certificate: Certificate, _ settings: Settings = Settings()) {
        self.certificate = certificate
        context = TLSContext(certificate, settings)
    }

    /// The certificate in PEM.
    public var certificatePEM: [UInt8] { certificate.pem }

    /// The key in PEM, encrypted if there is a password: a client may show the identity as well.
    public func keyPEM(password: String? = nil) -> [UInt8] {
        certificate.keyPEM(password: password)
    }

    /// The certificate and the key as the bytes of a PKCS#12 file.
    public func pkcs12(password: String) -> [UInt8] {
        certificate.pkcs12(password: password)
    }

    /// The same certificate, for a server that asks its clients for theirs.
    ///
    /// - Parameters:
    ///   - authority: Who has to have signed it.
    ///   - isRequired: Whether a client without one is sent away in the handshake.
    ///   - isOld: Whether the server knows TLS 1.2 at the most.
    /// - Returns: The identity for the server.
    public func askingClients(
        for authority: TLSAuthority,
        isRequired: Bool = true,
        isOld: Bool = false
    ) -> TLSIdentity {
        TLSIdentity(
            certificate,
            Settings(
                clientAuthority: authority.certificate,
                isClientCertificateRequired: isRequired,
                isOld: isOld
            )
        )
    }

    /// The same certificate, for a server that knows TLS 1.2 at the most.
    ///
    /// Unlike a newer one it lets clients take up sessions again.
    public func limitedToTLS12() -> TLSIdentity {
        TLSIdentity(certificate, Settings(isOld: true))
    }

    /// Makes a certificate that nobody has signed but itself.
    ///
    /// - Throws: An error that says what could not be made.
    public static func selfSigned(
        for names: [String] = ["127.0.0.1", "::1", "localhost"],
        validity: Validity = .valid
    ) throws -> TLSIdentity {
        TLSIdentity(try certificate(for: names, validity, issuer: nil))
    }

    static func certificate(
        for names: [String],
        _ validity: Validity,
        issuer: Certificate?
    ) throws -> Certificate {
        let days =
            switch validity {
            case .valid: -1...1
            case .expired: -2 ... -1
            case .notYetValid: 1...2
            }
        let subjects = names.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }
        var extensions = [(Certificate.namesExtension, subjects.joined(separator: ","))]
        // Tells two authorities of one name apart.
        if issuer != nil { extensions.append((Certificate.issuerKeyExtension, "keyid:always")) }
        return try Certificate(
            .init(
                name: names.first ?? "nobody",
                validity: days.lowerBound * day...days.upperBound * day,
                extensions: extensions
            ),
            issuer: issuer
        )
    }

    private static func isAddress(_ name: String) -> Bool {
        name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
    }
}
