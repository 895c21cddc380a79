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

    init(_ certificate: Certificate, protocols: [String] = []) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
            preconditionFailure("SSL_CTX_new found no memory")
        }
        unsafe pointer = context
        let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
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
