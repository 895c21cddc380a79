private import CLibssl

/// An X.509 certificate together with its private key, made on the spot.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/X509_new/>
@safe
// It has pointers: nothing changes behind them once it is made.
final class Certificate: @unchecked Sendable {
    /// What a certificate says, and for how long.
    struct Contents {
        /// The common name of the subject.
        let name: String

        /// From when to when, in seconds from now.
        let validity: ClosedRange<Int>

        /// The numbers of the extensions (`NID_…`), and what stands in them.
        let extensions: [(number: Int32, value: String)]
    }

    /// libcrypto refused something.
    struct MakeError: Error, CustomStringConvertible {
        let description: String
    }

    let pointer: OpaquePointer
    let key: OpaquePointer

    /// Makes a key and a certificate that `issuer` signs, or that signs itself.
    init(_ contents: Contents, issuer: Certificate? = nil) throws(MakeError) {
        let key = try unsafe Self.made(shim_key_makeOnCurve("P-256"), "EVP_EC_gen")
        guard let certificate = unsafe X509_new() else {
            unsafe EVP_PKEY_free(key)
            throw MakeError(description: "X509_new failed")
        }
        unsafe self.key = key
        unsafe pointer = certificate
        try fill(contents, issuer: issuer)
    }

    deinit {
        unsafe X509_free(pointer)
        unsafe EVP_PKEY_free(key)
    }

    /// The certificate without its key, as text.
    var pem: [UInt8] {
        unsafe Self.text { unsafe PEM_write_bio_X509($0, pointer) }
    }

    /// The key, as text; encrypted, if there is a password.
    func keyPEM(password: String?) -> [UInt8] {
        unsafe Self.text { memory in
            let cipher = unsafe password == nil ? nil : EVP_aes_256_cbc()
            let bytes = Array((password ?? "").utf8)
            let count = Int32(bytes.count)
            return unsafe PEM_write_bio_PrivateKey(memory, key, cipher, bytes, count, nil, nil)
        }
    }

    /// The certificate and the key in one file, as PKCS#12.
    func pkcs12(password: String) -> [UInt8] {
        let file = unsafe PKCS12_create(password, nil, key, pointer, nil, 0, 0, 0, 0, 0)
        defer { unsafe PKCS12_free(file) }
        return unsafe Self.text { unsafe i2d_PKCS12_bio($0, file) }
    }

    @unsafe private static func text(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let memory = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(memory) }
        _ = unsafe write(memory)
        let count = unsafe BIO_ctrl_pending(memory)
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            let read = unsafe BIO_read(memory, bytes.baseAddress, Int32(count))
            initialized = max(0, Int(read))
        }
    }
}

// MARK: - Filling in

extension Certificate {
    /// The number of the extension that says what names a certificate is for.
    static var namesExtension: Int32 { NID_subject_alt_name }

    /// The number of the extension that says whether it may sign others.
    static var constraintsExtension: Int32 { NID_basic_constraints }

    /// The number of the extension that says what its key is for.
    static var usageExtension: Int32 { NID_key_usage }

    /// The number of the extension that names its key.
    static var keyExtension: Int32 { NID_subject_key_identifier }

    /// The number of the extension that names the key that signed it.
    static var issuerKeyExtension: Int32 { NID_authority_key_identifier }

    private func fill(_ contents: Contents, issuer: Certificate?) throws(MakeError) {
        let issuer = issuer ?? self
        // Counted from 0: this is version 3.
        try unsafe expect(X509_set_version(pointer, 2), "X509_set_version")
        let serial = Int(UInt32.random(in: 1...UInt32.max))
        try unsafe expect(
            ASN1_INTEGER_set(X509_get_serialNumber(pointer), serial),
            "ASN1_INTEGER_set"
        )
        unsafe X509_gmtime_adj(X509_getm_notBefore(pointer), contents.validity.lowerBound)
        unsafe X509_gmtime_adj(X509_getm_notAfter(pointer), contents.validity.upperBound)
        try unsafe expect(X509_set_pubkey(pointer, key), "X509_set_pubkey")
        let subject = unsafe X509_get_subject_name(pointer)
        let isNamed = unsafe X509_NAME_add_entry_by_txt(
            subject,
            "CN",
            Int32(V_ASN1_UTF8STRING),
            contents.name,
            -1,
            -1,
            0
        )
        try expect(isNamed, "X509_NAME_add_entry_by_txt")
        let issuerName = unsafe X509_get_subject_name(issuer.pointer)
        try unsafe expect(X509_set_issuer_name(pointer, issuerName), "X509_set_issuer_name")
        for (number, value) in contents.extensions {
            try add(number, value, issuer: issuer)
        }
        try unsafe expect(X509_sign(pointer, issuer.key, EVP_sha256()), "X509_sign")
    }

    private func add(_ number: Int32, _ value: String, issuer: Certificate) throws(MakeError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer.pointer, pointer, nil, nil, 0)
        let made = unsafe X509V3_EXT_conf_nid(nil, &context, number, value)
        let added = try unsafe Self.made(made, "X509V3_EXT_conf_nid(\(value))")
        defer { unsafe X509_EXTENSION_free(added) }
        try unsafe expect(X509_add_ext(pointer, added, -1), "X509_add_ext")
    }

    private func expect(_ result: Int32, _ call: String) throws(MakeError) {
        // X509_sign returns a size.
        if result <= 0 { throw MakeError(description: "\(call) failed") }
    }

    private static func made(
        _ pointer: OpaquePointer?,
        _ call: String
    ) throws(MakeError) -> OpaquePointer {
        guard let pointer = unsafe pointer else {
            throw MakeError(description: "\(call) failed")
        }
        return unsafe pointer
    }
}
