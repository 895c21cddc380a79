internal import CLibcurl
private import CLibssl
internal import EventLoops
private import Glibc

// MARK: - TLS

extension EasyHandle {
    /// Sets whom a transfer trusts, what it shows, and with which transfers it shares connections.
    ///
    /// What libcurl compares before it uses a network connection again is set so that the policies
    /// stay apart: one that was made by an exception is used by the same exception alone. Returns false
    /// when libcurl can't take its strings.
    ///
    /// - SeeAlso: <https://curl.se/libcurl/c/CURLOPT_SSL_CTX_FUNCTION.html>
    func configureTLS(for transfer: Transfer) -> Bool {
        let request = transfer.request
        guard request.usesTLS else { return true }
        observeHandshakes(of: transfer)
        guard !request.isPlain else { return true }
        // Each is said whatever the policy: the handle may have served another one.
        var (checks, takesUpSessions, label) = (true, true, 0)
        var pin: String?
        switch request.trust {
        case .system:
            break
        case .ask:
            // A session that is taken up again shows no certificate.
            takesUpSessions = false
            // Flags for another TLS library, which do nothing here but to be compared.
            label = Int(CURLSSLOPT_REVOKE_BEST_EFFORT)
        case .exactly(let certificate):
            pin = CertificatePin.of(certificate)
            guard CurlLibrary.usesOpenSSL, pin != nil else { return false }
            takesUpSessions = false
            // TLSHandshake takes its place: this one certificate counts, and no other.
            checks = false
        }
        setLong(CURLOPT_SSL_VERIFYPEER, checks ? 1 : 0)
        setLong(CURLOPT_SSL_VERIFYHOST, checks ? 2 : 0)
        setLong(CURLOPT_SSL_SESSIONID_CACHE, takesUpSessions ? 1 : 0)
        setLong(CURLOPT_SSL_OPTIONS, label)
        unsafe expectOK(
            shim_easy_setString(pointer, CURLOPT_PINNEDPUBLICKEY, pin),
            "CURLOPT_PINNEDPUBLICKEY"
        )
        if let identity = request.clientCertificate {
            setBlob(CURLOPT_SSLCERT_BLOB, identity.certificates)
            setBlob(CURLOPT_SSLKEY_BLOB, identity.key)
        }
        return true
    }

    private func observeHandshakes(of transfer: Transfer) {
        guard CurlLibrary.usesOpenSSL else { return }
        let context = CallbackContext(unretained: transfer)
        unsafe setContext(context.pointer, for: CURLOPT_SSL_CTX_DATA)
        unsafe expectOK(
            shim_easy_setTLSContextCallback(pointer) { _, context, transfer in
                let transfer = unsafe CallbackContext<Transfer>.owner(behind: transfer)
                unsafe TLSHandshake.observe(context, for: transfer)
                return CURLE_OK
            },
            "CURLOPT_SSL_CTX_FUNCTION"
        )
    }

    /// Opens a network connection of its own instead of using one that is open.
    func useNoOther() {
        setLong(CURLOPT_FRESH_CONNECT, 1)
    }

    /// Does not wait to see whether another transfer's network connection can carry this one too.
    func waitForNoOther() {
        setLong(CURLOPT_PIPEWAIT, 0)
    }

    /// The handshake takes as long as an answer does.
    func waitAsLongAsItTakes() {
        setLong(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
    }

    private func setBlob(_ option: CURLoption, _ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe expectOK(
                shim_easy_setBlob(pointer, option, bytes.baseAddress, bytes.count),
                "a certificate or a key"
            )
        }
    }
}

/// What libcurl compares of an exception (CURLOPT_PINNEDPUBLICKEY).
private enum CertificatePin {
    /// The hash of the key, which libcurl checks, and that of the certificate, which no key has: two
    /// certificates of one key are two exceptions.
    static func of(_ certificate: [UInt8]) -> String? {
        guard let key = key(of: certificate) else { return nil }
        return "sha256//\(hash(key));sha256//\(hash(certificate))"
    }

    private static func key(of certificate: [UInt8]) -> [UInt8]? {
        unsafe certificate.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let parsed = unsafe d2i_X509(nil, &start, bytes.count) else { return nil }
            defer { unsafe X509_free(parsed) }
            let key = unsafe X509_get_X509_PUBKEY(parsed)
            let count = unsafe i2d_X509_PUBKEY(key, nil)
            guard count > 0 else { return nil }
            return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, initialized in
                var end = bytes.baseAddress
                initialized = unsafe Int(max(0, i2d_X509_PUBKEY(key, &end)))
            }
        }
    }

    /// SHA-256 in base64.
    private static func hash(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe SHA256(bytes, bytes.count, &digest)
        let text = unsafe [UInt8](unsafeUninitializedCapacity: 45) { text, initialized in
            initialized = unsafe Int(EVP_EncodeBlock(text.baseAddress, digest, 32))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
