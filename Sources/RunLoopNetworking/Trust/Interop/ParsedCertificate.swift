private import CLibssl
private import Glibc

/// What OpenSSL reads in a certificate.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/d2i_X509/>
struct ParsedCertificate {
    let subject: String
    let issuer: String
    let serialNumber: [UInt8]

    /// Seconds since 1970.
    let notBefore: Int
    let notAfter: Int

    let fingerprint: [UInt8]
    let names: [String]
    let isSelfSigned: Bool

    /// Reads DER; nil when it is no certificate, or something follows it.
    init?(_ der: [UInt8]) {
        let parsed = unsafe der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            let parsed = unsafe d2i_X509(nil, &start, bytes.count)
            let isWhole = unsafe start == bytes.baseAddress?.advanced(by: bytes.count)
            if !isWhole { unsafe X509_free(parsed) }
            return unsafe isWhole ? parsed : nil
        }
        guard let certificate = unsafe parsed else { return nil }
        defer { unsafe X509_free(certificate) }
        guard let notBefore = unsafe Self.seconds(X509_get0_notBefore(certificate)),
            let notAfter = unsafe Self.seconds(X509_get0_notAfter(certificate))
        else { return nil }
        self.notBefore = notBefore
        self.notAfter = notAfter
        subject = unsafe Self.text(X509_get_subject_name(certificate))
        issuer = unsafe Self.text(X509_get_issuer_name(certificate))
        serialNumber = unsafe Self.bytes(X509_get0_serialNumber(certificate))
        fingerprint = unsafe Self.fingerprint(certificate)
        names = unsafe Self.names(certificate)
        isSelfSigned = unsafe X509_self_signed(certificate, 1) == 1
    }
}

extension ParsedCertificate {
    @unsafe private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return unsafe timegm(&parts)
    }

    @unsafe private static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        let start = unsafe ASN1_STRING_get0_data(string)
        return unsafe Array(
            UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string)))
        )
    }

    @unsafe private static func text(_ name: OpaquePointer?) -> String {
        let memory = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(memory) }
        unsafe X509_NAME_print_ex(memory, name, 0, shim_name_style())
        return unsafe String(decoding: MemoryBIO.take(memory), as: UTF8.self)
    }

    @unsafe private static func fingerprint(_ certificate: OpaquePointer) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 32
        unsafe X509_digest(certificate, EVP_sha256(), &digest, &count)
        return digest
    }

    @unsafe private static func names(_ certificate: OpaquePointer) -> [String] {
        let found = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil)
        let stack = OpaquePointer(found)
        defer { unsafe GENERAL_NAMES_free(stack) }
        return unsafe (0..<shim_generalNames_count(stack)).compactMap { index -> String? in
            var kind: Int32 = 0
            guard let value = unsafe shim_generalNames_at(stack, index, &kind) else { return nil }
            let bytes = unsafe bytes(value)
            return kind == GEN_IPADD ? address(bytes) : String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else {
            return nil
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}
