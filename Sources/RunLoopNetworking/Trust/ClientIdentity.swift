internal import CurlTransfers
public import Foundation

/// A certificate and its key, by which a client says who it is.
///
/// A server asks for one in the TLS handshake; a delegate answers the challenge, whose method is
/// `NSURLAuthenticationMethodClientCertificate`, with `URLCredential(identity:persistence:)`.
public struct ClientIdentity: Sendable, Equatable {
    /// The certificate, and those that lead to its authority.
    public let certificates: [Certificate]

    /// PEM, not encrypted; it stays in memory.
    let key: [UInt8]

    /// Reads a certificate and its key from PEM files, which may be the same file.
    ///
    /// Blocks while it reads.
    ///
    /// - Parameters:
    ///   - certificateFile: The path of a file with the certificate, and those that lead to its authority.
    ///   - keyFile: The path of a file with the key; nil when it stands beside the certificate.
    ///   - password: What the key is encrypted with; nil when it is not.
    /// - Throws: ``ClientIdentityError``, which says what to do.
    public init(
        certificateFile: String,
        keyFile: String? = nil,
        password: String? = nil
    ) throws(ClientIdentityError) {
        let certificate = try Self.contents(of: certificateFile)
        let key = try keyFile.map { file throws(ClientIdentityError) in try Self.contents(of: file)
        }
        try self.init(
            parsed: ParsedIdentity(pem: certificate, key: key ?? certificate, password: password)
        )
    }

    /// Reads a certificate and its key from PEM text.
    ///
    /// - Throws: ``ClientIdentityError``, which says what to do.
    public init(
        certificatePEM: Data,
        keyPEM: Data,
        password: String? = nil
    ) throws(ClientIdentityError) {
        try self.init(
            parsed: ParsedIdentity(
                pem: [UInt8](certificatePEM),
                key: [UInt8](keyPEM),
                password: password
            )
        )
    }

    /// Reads a PKCS#12 file: a certificate, its key, and those that lead to its authority.
    ///
    /// Blocks while it reads.
    ///
    /// - Throws: ``ClientIdentityError``, which says what to do.
    public init(pkcs12File: String, password: String) throws(ClientIdentityError) {
        let bytes = try Self.contents(of: pkcs12File)
        try self.init(parsed: ParsedIdentity(pkcs12: bytes, password: password))
    }

    /// Reads the bytes of a PKCS#12 file.
    ///
    /// - Throws: ``ClientIdentityError``, which says what to do.
    public init(pkcs12: Data, password: String) throws(ClientIdentityError) {
        try self.init(parsed: ParsedIdentity(pkcs12: [UInt8](pkcs12), password: password))
    }

    private init(parsed: ParsedIdentity) throws(ClientIdentityError) {
        let certificates = parsed.certificates.compactMap { Certificate(der: Data($0)) }
        guard certificates.count == parsed.certificates.count else {
            throw ClientIdentityError(.damaged, "A certificate can't be read.")
        }
        self.init(certificates: certificates, key: parsed.key)
    }

    init(certificates: [Certificate], key: [UInt8]) {
        self.certificates = certificates
        self.key = key
    }

    /// The identity as a transfer shows it.
    var shown: ClientCertificate {
        ClientCertificate(certificates: Array(certificates.map(\.pem).joined().utf8), key: key)
    }

    private static func contents(of file: String) throws(ClientIdentityError) -> [UInt8] {
        do throws(FileError) {
            if let bytes = try WholeFile.read(file) { return bytes }
        } catch {
            throw ClientIdentityError(
                .unreadableFile,
                "\(file) can't be read (errno \(error.number))."
            )
        }
        throw ClientIdentityError(.unreadableFile, "There is no file \(file).")
    }
}
