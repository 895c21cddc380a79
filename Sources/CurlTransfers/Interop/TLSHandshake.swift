private import CLibcurl
private import CLibssl
internal import EventLoops

/// What OpenSSL says and asks while a transfer shakes hands, and afterwards.
///
/// One belongs to each OpenSSL context that libcurl makes, that is to each network connection, and
/// lives as long as that: it may outlive the transfer that it was made for.
///
/// libcurl 7.88 does not know OpenSSL's way to wait for a verdict (SSL_set_retry_verify). But it waits
/// when its BIO takes nothing now, as on a full socket. So while somebody is asked, what the handshake
/// would send next is not taken: without it no request can follow.
///
/// Loop affinity.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/SSL_CTX_set_cert_verify_callback/>
@safe
final class TLSHandshake {
    /// What was seen so far.
    private(set) var record = HandshakeRecord()

    private let policy: TrustPolicy
    private let host: String?
    private let asksForClientCertificate: Bool
    private let showsCertificate: Bool
    private weak var transfer: Transfer?

    /// What has to be answered before more is sent.
    private var questions: [HandshakeQuestion] = []
    private var isWaiting = false

    private init(_ transfer: Transfer, isWithProxy: Bool) {
        let request = transfer.request
        policy = isWithProxy ? .system : request.trust
        host = ServerName(libcurlReads: request.url)?.certifiedHost
        asksForClientCertificate =
            !isWithProxy && request.asksForClientCertificate && request.clientCertificate == nil
        showsCertificate = !isWithProxy && request.clientCertificate != nil
        self.transfer = transfer
    }

    /// The question that is out has been answered by going on.
    ///
    /// Returns the next one, if there is one.
    func proceed() -> HandshakeQuestion? {
        guard isWaiting, !questions.isEmpty else { return nil }
        questions.removeFirst()
        isWaiting = !questions.isEmpty
        return questions.first
    }

    /// Whether a certificate was shown that counts, and whoever had to be asked has agreed.
    var isAgreed: Bool { record.chain?.verdict == 0 && questions.isEmpty }

    /// Whether the transfer that it was made for waits for an answer.
    var isHeld: Bool { isWaiting }

    /// Whether what is to be sent may go out now.
    private func maySend() -> Bool {
        guard let question = questions.first else { return true }
        guard !isWaiting else { return false }
        isWaiting = true
        transfer?.handshakeAsks(question)
        return false
    }

    private func ask(_ question: HandshakeQuestion) {
        // Once the request is on its way nobody waits any more: the server asks in the middle of it.
        if transfer?.hasSent == false { questions.append(question) }
    }
}

// MARK: - In OpenSSL's context

extension TLSHandshake {
    /// Where a context keeps its handshake, and lets go of it.
    private static let index: Int32 = unsafe CRYPTO_get_ex_new_index(
        CRYPTO_EX_INDEX_SSL_CTX,
        0,
        nil,
        nil,
        nil
    ) { _, pointer, _, _, _, _ in
        if let pointer = unsafe pointer {
            unsafe Unmanaged<TLSHandshake>.fromOpaque(pointer).release()
        }
    }

    /// Hears of the handshakes in a context that libcurl has just made.
    static func observe(_ context: UnsafeMutableRawPointer?, for transfer: Transfer) {
        let context = OpaquePointer(context)
        // Nobody is asked about a proxy, and it is no exception.
        let isWithProxy = transfer.request.proxy?.isSecure == true && transfer.handshakeCount == 0
        transfer.handshakeCount += 1
        let handshake = TLSHandshake(transfer, isWithProxy: isWithProxy)
        let pointer = unsafe Unmanaged.passRetained(handshake).toOpaque()
        guard unsafe SSL_CTX_set_ex_data(context, index, pointer) == 1 else {
            preconditionFailure("SSL_CTX_set_ex_data found no memory")
        }
        if !isWithProxy { transfer.handshake = handshake }
        unsafe SSL_CTX_set_info_callback(context) { tls, happened, value in
            unsafe TLSHandshake.of(tls)?.hear(happened, value, tls)
        }
        unsafe SSL_CTX_set_cert_cb(
            context,
            { tls, _ in
                unsafe TLSHandshake.of(tls)?.certificateIsWanted(by: tls)
                return 1
            },
            nil
        )
        if case .system = handshake.policy { return }
        // libcurl was told to check nothing where one certificate is to be accepted.
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        unsafe SSL_CTX_set_cert_verify_callback(
            context,
            { store, pointer in
                // The context that calls keeps it.
                let handshake = unsafe CallbackContext<TLSHandshake>.owner(behind: pointer)
                return unsafe handshake.verify(store) ? 1 : 0
            },
            pointer
        )
    }

    @unsafe private static func of(_ tls: OpaquePointer?) -> TLSHandshake? {
        let pointer = unsafe SSL_CTX_get_ex_data(SSL_get_SSL_CTX(tls), index)
        return unsafe pointer.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    @unsafe private func hear(_ happened: Int32, _ value: Int32, _ tls: OpaquePointer?) {
        if happened == SSL_CB_HANDSHAKE_START {
            unsafe guardBIO(SSL_get_rbio(tls))
        } else if happened == SSL_CB_READ_ALERT, value >> 8 == SSL3_AL_FATAL {
            record.alert = Int(value & 0xff)
        }
    }

    /// The BIO is known when a handshake begins.
    ///
    /// libcurl's BIO never says that it has reached its end (BIO_CTRL_EOF). OpenSSL then reports no error
    /// of its own when a connection is cut, and libcurl takes that for an end in good order. Here the
    /// callback answers for it.
    ///
    /// - SeeAlso: <https://docs.openssl.org/3.0/man3/BIO_set_callback/>
    @unsafe private func guardBIO(_ bio: OpaquePointer?) {
        // OpenSSL frees the BIO before the context, which keeps this object.
        let context = unsafe CallbackContext(unretained: self).pointer
        unsafe BIO_set_callback_arg(bio, context.assumingMemoryBound(to: CChar.self))
        unsafe BIO_set_callback_ex(bio) { bio, call, _, _, command, _, result, _ in
            if call == BIO_CB_WRITE {
                let context = unsafe UnsafeMutableRawPointer(BIO_get_callback_arg(bio))
                if unsafe !CallbackContext<TLSHandshake>.owner(behind: context).maySend() {
                    unsafe shim_bio_retryWrite(bio)
                    return -1
                }
            }
            // OpenSSL asks after a read that brought nothing and need not be repeated.
            let isAsked = call == BIO_CB_CTRL | BIO_CB_RETURN && command == BIO_CTRL_EOF
            return isAsked ? 1 : Int(result)
        }
    }

    /// The server has asked for a certificate; called whether there is one or not.
    @unsafe private func certificateIsWanted(by tls: OpaquePointer?) {
        let names = unsafe SSL_get0_peer_CA_list(tls)
        let issuers = unsafe (0..<shim_names_count(names)).map {
            unsafe CertificateName.text(shim_names_at(names, $0))
        }
        record.acceptableIssuers = issuers
        record.hasShownCertificate = showsCertificate
        if asksForClientCertificate { ask(.clientCertificate(acceptableIssuers: issuers)) }
    }
}

// MARK: - The verdict

extension TLSHandshake {
    @unsafe private func verify(_ store: OpaquePointer?) -> Bool {
        var verdict = X509_V_OK
        let shown = unsafe CertificateBytes.of(X509_STORE_CTX_get0_cert(store))
        switch policy {
        case .exactly(let certificate):
            if shown != certificate { verdict = X509_V_ERR_CERT_REJECTED }
        case .system, .ask:
            // OpenSSL's verdict is in the store, and a failure without one as well.
            let isFine = unsafe X509_verify_cert(store) == 1
            verdict = unsafe X509_STORE_CTX_get_error(store)
            if !isFine, verdict == X509_V_OK { verdict = X509_V_ERR_UNSPECIFIED }
            if verdict == X509_V_OK {
                verdict = unsafe nameVerdict(X509_STORE_CTX_get0_cert(store))
            }
            // A second handshake on a connection is with whom the first one was.
            if let first = record.chain?.certificates.first, first != shown {
                verdict = X509_V_ERR_CERT_REJECTED
            }
        }
        let depth = unsafe X509_STORE_CTX_get_error_depth(store)
        unsafe X509_STORE_CTX_set_error(store, verdict)
        let chain = unsafe PresentedChain(
            certificates: CertificateBytes.all(X509_STORE_CTX_get0_untrusted(store)),
            verdict: Int(verdict),
            depth: verdict == X509_V_OK ? 0 : Int(depth),
            message: String(cString: X509_verify_cert_error_string(Int(verdict)))
        )
        record.chain = chain
        if verdict == X509_V_OK, case .ask = policy { ask(.trust(chain)) }
        return verdict == X509_V_OK
    }

    /// Whether the certificate is the host's: RFC 9525.
    @unsafe private func nameVerdict(_ certificate: OpaquePointer?) -> Int32 {
        guard let host else { return X509_V_ERR_HOSTNAME_MISMATCH }
        let asAddress = unsafe X509_check_ip_asc(certificate, host, 0)
        // What is no address can't be compared as one.
        guard asAddress == -2 else {
            return asAddress == 1 ? X509_V_OK : X509_V_ERR_IP_ADDRESS_MISMATCH
        }
        let asName = unsafe X509_check_host(certificate, host, 0, 0, nil)
        return asName == 1 ? X509_V_OK : X509_V_ERR_HOSTNAME_MISMATCH
    }
}
