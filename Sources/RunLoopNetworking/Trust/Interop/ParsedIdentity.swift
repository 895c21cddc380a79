private import CLibssl
private import Glibc

/// A certificate and its key, as OpenSSL reads them.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/PKCS12_parse/>,
///   <https://docs.openssl.org/3.0/man3/PEM_read_bio_PrivateKey/>
struct ParsedIdentity {
    /// DER, that of the key first.
    let certificates: [[UInt8]]

    /// PEM, not encrypted.
    let key: [UInt8]

    /// Reads PEM.
    init(pem: [UInt8], key: [UInt8], password: String?) throws(ClientIdentityError) {
        let certificates = unsafe MemoryBIO.reading(pem) { memory in
            var found: [[UInt8]] = []
            while let certificate = unsafe PEM_read_bio_X509(memory, nil, nil, nil) {
                unsafe found.append(Self.bytes(of: certificate))
                unsafe X509_free(certificate)
            }
            return found
        }
        guard let first = certificates.first else {
            throw ClientIdentityError(
                .noCertificate,
                "No certificate was found; it begins with -----BEGIN CERTIFICATE-----."
            )
        }
        let parsed = unsafe MemoryBIO.reading(key) { unsafe Self.readKey($0, password) }
        guard let parsed = unsafe parsed else {
            throw Self.reason(forKey: key, password)
        }
        defer { unsafe EVP_PKEY_free(parsed) }
        guard unsafe Self.isKey(parsed, of: first) else { throw Self.otherKey }
        self.certificates = certificates
        self.key = unsafe Self.text(of: parsed)
    }

    /// Reads PKCS#12.
    init(pkcs12: [UInt8], password: String) throws(ClientIdentityError) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let file = unsafe MemoryBIO.reading(pkcs12) { unsafe d2i_PKCS12_bio($0, nil) }
        guard let file = unsafe file else {
            throw ClientIdentityError(.damaged, "The bytes are no PKCS#12 file.")
        }
        defer { unsafe PKCS12_free(file) }
        guard unsafe PKCS12_verify_mac(file, password, -1) == 1 else {
            throw ClientIdentityError(
                .wrongPassword,
                "The password does not open the PKCS#12 file, or the file is damaged."
            )
        }
        var parsed: OpaquePointer?
        var certificate: OpaquePointer?
        var others: OpaquePointer?
        let isRead = unsafe PKCS12_parse(file, password, &parsed, &certificate, &others) == 1
        defer {
            unsafe EVP_PKEY_free(parsed)
            unsafe X509_free(certificate)
            unsafe shim_certificates_free(others)
        }
        guard isRead else {
            throw ClientIdentityError(
                .damaged,
                "The PKCS#12 file is damaged, or encrypted in a way that OpenSSL 3 does not read any "
                    + "more; write it anew with a newer program."
            )
        }
        guard let certificate = unsafe certificate else {
            throw ClientIdentityError(.noCertificate, "The PKCS#12 file has no certificate.")
        }
        guard let parsed = unsafe parsed else {
            throw ClientIdentityError(.noKey, "The PKCS#12 file has no key.")
        }
        let own = unsafe Self.bytes(of: certificate)
        certificates =
            unsafe [own]
            + (0..<shim_certificates_count(others)).map {
                unsafe Self.bytes(of: shim_certificates_at(others, $0))
            }
        key = unsafe Self.text(of: parsed)
    }
}

extension ParsedIdentity {
    private static let otherKey = ClientIdentityError(
        .otherKey,
        "The key does not belong to the first certificate; put that one first."
    )

    @unsafe private static func readKey(
        _ memory: OpaquePointer?,
        _ password: String?
    ) -> OpaquePointer? {
        // Without a callback OpenSSL would ask at the terminal.
        let ask:
            @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?)
                -> Int32 = { buffer, size, _, password in
                    guard let buffer = unsafe buffer,
                        let text = unsafe password?.assumingMemoryBound(to: CChar.self)
                    else { return -1 }
                    let count = unsafe strlen(text)
                    guard count <= Int(size) else { return -1 }
                    unsafe memcpy(buffer, text, count)
                    return Int32(count)
                }
        defer { ERR_clear_error() }
        guard let password else { return unsafe PEM_read_bio_PrivateKey(memory, nil, ask, nil) }
        return unsafe password.withCString { text in
            let context = unsafe UnsafeMutableRawPointer(mutating: text)
            return unsafe PEM_read_bio_PrivateKey(memory, nil, ask, context)
        }
    }

    private static func reason(forKey key: [UInt8], _ password: String?) -> ClientIdentityError {
        let text = String(decoding: key, as: UTF8.self)
        guard text.contains("PRIVATE KEY-----") else {
            return ClientIdentityError(
                .noKey,
                "No key was found; it begins with -----BEGIN PRIVATE KEY----- or the like."
            )
        }
        guard text.contains("ENCRYPTED") else {
            return ClientIdentityError(.damaged, "The key is damaged.")
        }
        return ClientIdentityError(
            .wrongPassword,
            password == nil
                ? "The key is encrypted; give its password."
                : "The password does not open the key, or the key is damaged."
        )
    }

    @unsafe private static func isKey(_ key: OpaquePointer, of certificate: [UInt8]) -> Bool {
        unsafe certificate.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            let parsed = unsafe d2i_X509(nil, &start, bytes.count)
            defer {
                unsafe X509_free(parsed)
                ERR_clear_error()
            }
            return unsafe X509_check_private_key(parsed, key) == 1
        }
    }

    @unsafe private static func bytes(of certificate: OpaquePointer?) -> [UInt8] {
        let memory = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(memory) }
        unsafe i2d_X509_bio(memory, certificate)
        return unsafe MemoryBIO.take(memory)
    }

    @unsafe private static func text(of key: OpaquePointer) -> [UInt8] {
        let memory = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(memory) }
        unsafe PEM_write_bio_PrivateKey(memory, key, nil, nil, 0, nil, nil)
        return unsafe MemoryBIO.take(memory)
    }
}
