public import Foundation

/// A certificate as a server shows it: what it says, and its bytes.
///
/// What it says is only what whoever made it has written into it. Whether it counts is another question:
/// ``ServerTrust/failure``.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc5280>
public struct Certificate: Sendable, Hashable {
    /// The bytes, in DER.
    public let der: Data

    /// Whom it is for, as RFC 2253 writes it: `CN=www.example.org,O=Example`.
    public let subject: String

    /// Who has signed it, in the same way.
    public let issuer: String

    /// The number that its issuer gave it, in hexadecimal digits.
    public let serialNumber: String

    /// From when on it counts.
    public let notBefore: Date

    /// Until when it counts.
    public let notAfter: Date

    /// The SHA-256 of ``der``: 64 hexadecimal digits in lower case.
    public let fingerprint: String

    /// The host names, addresses, mail addresses and URIs that it is for, without their kinds.
    public let subjectAlternativeNames: [String]

    /// Whether its own key has signed it.
    public let isSelfSigned: Bool

    /// Reads a certificate; nil when the bytes are none, or more than one.
    public init?(der: Data) {
        guard let parsed = ParsedCertificate([UInt8](der)) else { return nil }
        self.init(der, parsed)
    }

    /// Reads the first certificate in a text; nil when there is none.
    public init?(pem: String) {
        guard let der = Self.bytes(of: pem) else { return nil }
        self.init(der: der)
    }

    private init(_ der: Data, _ parsed: ParsedCertificate) {
        self.der = der
        subject = parsed.subject
        issuer = parsed.issuer
        serialNumber = Self.hexadecimal(parsed.serialNumber).uppercased()
        notBefore = Date(timeIntervalSince1970: TimeInterval(parsed.notBefore))
        notAfter = Date(timeIntervalSince1970: TimeInterval(parsed.notAfter))
        fingerprint = Self.hexadecimal(parsed.fingerprint)
        subjectAlternativeNames = parsed.names
        isSelfSigned = parsed.isSelfSigned
    }

    /// The certificate as text, with its first and its last line.
    public var pem: String {
        let options: Data.Base64EncodingOptions = [.lineLength64Characters, .endLineWithLineFeed]
        return "\(Self.firstLine)\n\(der.base64EncodedString(options: options))\n\(Self.lastLine)\n"
    }

    /// Two are the same when their bytes are.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.der == right.der
    }

    /// The bytes alone count.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(der)
    }
}

extension Certificate {
    private static let firstLine = "-----BEGIN CERTIFICATE-----"
    private static let lastLine = "-----END CERTIFICATE-----"

    private static func bytes(of pem: String) -> Data? {
        guard let start = pem.range(of: firstLine),
            let end = pem.range(of: lastLine, range: start.upperBound..<pem.endIndex)
        else { return nil }
        let text = String(pem[start.upperBound..<end.lowerBound])
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        .joined()
    }
}
