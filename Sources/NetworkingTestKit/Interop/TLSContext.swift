private import CLibssl

/// What all TLS connections of a server have in common: its certificate and key.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/SSL_CTX_new/>
@safe
// It has a pointer: what is behind it is not changed once it is made, and libssl counts references to
// it with atomics.
final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ certificate: Certificate) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
            preconditionFailure("SSL_CTX_new found no memory")
        }
        unsafe pointer = context
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
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }

    private func expectOK(_ result: Int32, _ call: StaticString) {
        precondition(result == 1, "\(call) refused a certificate of the kit's own")
    }
}
