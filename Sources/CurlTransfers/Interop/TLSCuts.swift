private import CLibcurl
private import CLibssl

extension EasyHandle {
    /// Lets a TLS connection that ends without a close_notify be an error, not an end.
    ///
    /// Whoever cuts the network connection could otherwise shorten a body that has no length of its own.
    /// A body that is whole by its length or by its last chunk is not affected: RFC 9112, section 9.8.
    ///
    /// - SeeAlso: <https://curl.se/libcurl/c/CURLOPT_SSL_CTX_FUNCTION.html>
    func noticeCuts() {
        guard CurlLibrary.usesOpenSSL else { return }
        unsafe expectOK(
            shim_easy_setTLSContextCallback(pointer) { _, context, _ in
                unsafe TLSCuts.notice(in: OpaquePointer(context))
                return CURLE_OK
            },
            "CURLOPT_SSL_CTX_FUNCTION"
        )
    }
}

/// What keeps OpenSSL from noticing that a TLS connection is cut, and how that is mended.
///
/// libcurl 7.88 reads from the network by a BIO of its own, which never says that it has reached its
/// end (BIO_CTRL_EOF). OpenSSL then reports no error of its own, and libcurl takes that for an end in good
/// order. The BIO is known when the handshake begins; from then on a callback answers for it.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/BIO_set_callback/>
private enum TLSCuts {
    static func notice(in context: OpaquePointer?) {
        unsafe SSL_CTX_set_info_callback(context) { tls, happened, _ in
            guard happened == SSL_CB_HANDSHAKE_START else { return }
            unsafe BIO_set_callback_ex(SSL_get_rbio(tls)) { _, call, _, _, command, _, result, _ in
                // OpenSSL asks after a read that brought nothing and need not be repeated.
                let isAsked = call == BIO_CB_CTRL | BIO_CB_RETURN && command == BIO_CTRL_EOF
                return isAsked ? 1 : Int(result)
            }
        }
    }
}
