private import CLibssl

/// Certificates of OpenSSL as bytes.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/d2i_X509/>
enum CertificateBytes {
    /// DER; empty when OpenSSL has none.
    @unsafe static func of(_ certificate: OpaquePointer?) -> [UInt8] {
        let count = unsafe i2d_X509(certificate, nil)
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, initialized in
            var end = bytes.baseAddress
            initialized = unsafe Int(max(0, i2d_X509(certificate, &end)))
        }
    }

    /// DER of each certificate of a stack.
    @unsafe static func all(_ stack: OpaquePointer?) -> [[UInt8]] {
        unsafe (0..<shim_certificates_count(stack)).map {
            unsafe of(shim_certificates_at(stack, $0))
        }
    }
}

/// The name of a certificate's subject or issuer as text.
enum CertificateName {
    /// As RFC 2253 writes it, `CN=…,O=…`, in UTF-8.
    @unsafe static func text(_ name: OpaquePointer?) -> String {
        let memory = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(memory) }
        unsafe X509_NAME_print_ex(memory, name, 0, shim_name_style())
        let count = unsafe BIO_ctrl_pending(memory)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            initialized = unsafe Int(max(0, BIO_read(memory, bytes.baseAddress, Int32(count))))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
