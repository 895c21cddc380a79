/// A certificate and its key, for servers that ask who is there.
package struct ClientCertificate: Sendable, Equatable {
    /// PEM: the certificate, and those that lead to its authority.
    package let certificates: [UInt8]

    /// PEM, not encrypted.
    package let key: [UInt8]

    /// Takes what was read and found to belong together.
    package init(certificates: [UInt8], key: [UInt8]) {
        self.certificates = certificates
        self.key = key
    }
}
