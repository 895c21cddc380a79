private import CLibssl
private import EventLoops

/// What all TLS connections of a server have in common: its certificate and key.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/SSL_CTX_new/>
@safe
// It has a pointer: what is behind it is not changed once it is made, and libssl counts references to
// it with atomics.
final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The names of the protocols, each behind its length, as ALPN has them (RFC 7301).
    private let protocolList: UnsafeMutableBufferPointer<UInt8>

    init(_ certificate: Certificate, _ settings: TLSIdentity.Settings) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
            preconditionFailure("SSL_CTX_new found no memory")
        }
        unsafe pointer = context
        let list = settings.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        unsafe protocolList = .allocate(capacity: list.count)
        _ = unsafe protocolList.initialize(from: list)
        // What a script sends is all that is sent, and each handshake is a whole one.
        unsafe expectOK(SSL_CTX_set_num_tickets(context, 0), "SSL_CTX_set_num_tickets")
        unsafe expectOK(
            SSL_CTX_use_certificate(context, certificate.pointer),
            "SSL_CTX_use_certificate"
        )
        unsafe expectOK(
            SSL_CTX_use_PrivateKey(context, certificate.key),
            "SSL_CTX_use_PrivateKey"
        )
        if !list.isEmpty { chooseProtocols() }
        if let authority = settings.clientAuthority { ask(for: authority, settings) }
        // SSL_CTX_set_max_proto_version is a macro over this.
        if settings.isOld {
            let version = Int(TLS1_2_VERSION)
            unsafe SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, version, nil)
        }
    }

    /// Asks clients for a certificate that `authority` has signed.
    private func ask(for authority: Certificate, _ settings: TLSIdentity.Settings) {
        let required = settings.isClientCertificateRequired
        let mode = SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
        unsafe SSL_CTX_set_verify(pointer, mode, nil)
        let store = unsafe SSL_CTX_get_cert_store(pointer)
        unsafe expectOK(X509_STORE_add_cert(store, authority.pointer), "X509_STORE_add_cert")
        unsafe expectOK(SSL_CTX_add_client_CA(pointer, authority.pointer), "SSL_CTX_add_client_CA")
        // Without it a session can't be taken up again by a client that has shown a certificate.
        unsafe expectOK(SSL_CTX_set_session_id_context(pointer, "kit", 3), "a name for sessions")
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
        unsafe protocolList.deallocate()
    }

    /// Takes the first protocol of the list that the client offers as well.
    private func chooseProtocols() {
        // The server keeps this as long as it has connections.
        let context = CallbackContext(unretained: self)
        unsafe SSL_CTX_set_alpn_select_cb(
            pointer,
            { _, chosen, length, offered, offeredLength, context in
                let list = unsafe CallbackContext<TLSContext>.owner(behind: context).protocolList
                var name: UnsafeMutablePointer<UInt8>?
                let result = unsafe SSL_select_next_proto(
                    &name,
                    length,
                    list.baseAddress,
                    UInt32(list.count),
                    offered,
                    offeredLength
                )
                unsafe chosen?.pointee = unsafe UnsafePointer(name)
                return result == OPENSSL_NPN_NEGOTIATED
                    ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK
            },
            context.pointer
        )
    }

    private func expectOK(_ result: Int32, _ call: StaticString) {
        precondition(result == 1, "\(call) refused a certificate of the kit's own")
    }
}
